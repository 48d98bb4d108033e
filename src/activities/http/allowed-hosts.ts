import ipaddr from 'ipaddr.js';
import { type Address, embeddedIPv4, parseAddress } from './addresses.ts';

/** Which hosts may be reached although their addresses are not public. */
export interface AllowedHosts {
  host(name: string, port: number): boolean;
  address(address: Address, port: number): boolean;
}

/** Reads HOLDPOINT_ALLOW_PRIVATE_HOSTS: each entry is `*`, a CIDR, or a host name or address, with or without a port. */
export function allowedHosts(entries: readonly string[]): AllowedHosts {
  const all = entries.includes('*');
  const ranges = entries.filter((entry) => entry.includes('/')).map((entry) => ipaddr.parseCIDR(entry));
  const hosts = entries.filter((entry) => !entry.includes('/')).map(readHost);
  const named = (name: string, port: number) =>
    hosts.some((host) => host.name === name && (host.port === undefined || host.port === port));
  return {
    host: (name, port) => all || named(plainName(name), port),
    address: (address, port) =>
      all ||
      formsOf(address).some(
        (form) =>
          named(form.toString(), port) || ranges.some((range) => range[0].kind() === form.kind() && form.match(range)),
      ),
  };
}

/** `name`, `name:port`, `[v6]:port`, or a bare IPv6 address. */
function readHost(entry: string): { name: string; port: number | undefined } {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(entry);
  const [, name, port] = bracketed ?? /^([^:]+)(?::(\d+))?$/.exec(entry) ?? [undefined, entry];
  return { name: plainName(name!), port: port === undefined ? undefined : Number(port) };
}

/** URLs and the list have names in lower case; they compare without a final dot, addresses in their one short form. */
function plainName(name: string): string {
  const plain = name.replace(/^\[|\]$|\.$/g, '');
  return parseAddress(plain)?.toString() ?? plain;
}

function formsOf(address: Address): Address[] {
  const embedded = address.kind() === 'ipv6' ? embeddedIPv4(address as ipaddr.IPv6) : undefined;
  return embedded ? [address, embedded] : [address];
}
