import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** IPv6 forms that reach an IPv4 address, which is then the one that counts; where in the 16 bytes it stands. */
const EMBEDDING: readonly { prefix: [ipaddr.IPv6, number]; at: number }[] = [
  { prefix: ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), at: 12 }, // mapped
  { prefix: ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), at: 12 }, // translated, RFC 6145
  { prefix: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), at: 12 }, // NAT64, RFC 6052
  { prefix: ipaddr.IPv6.parseCIDR('2002::/16'), at: 2 }, // 6to4, RFC 3056
];
/** All of the public IPv6 internet; what is outside it is reserved, or not handed out yet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Public by its number only: from inside Azure it reaches the host's own services. */
const HOST_SERVICES = ['168.63.129.16'];

/** Undefined when the text is no address. */
export function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
}

/** What keeps an address from being one of the public internet, such as `private` or `loopback`; undefined when nothing does. */
export function whyNotPublic(address: Address): string | undefined {
  if (address.kind() === 'ipv6') {
    const embedded = embeddedIPv4(address as ipaddr.IPv6);
    if (embedded) return whyNotPublic(embedded);
    if (address.range() === 'unicast' && !address.match(GLOBAL_UNICAST)) return 'reserved';
  } else if (HOST_SERVICES.includes(address.toString())) return 'reserved';
  const range: string = address.range();
  return range === 'unicast' ? undefined : (NAMES[range] ?? 'reserved');
}

export function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const form = EMBEDDING.find(({ prefix }) => address.match(prefix));
  return form && new ipaddr.IPv4(address.toByteArray().slice(form.at, form.at + 4));
}

const NAMES: Record<string, string> = {
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  loopback: 'loopback',
  linkLocal: 'link-local',
  carrierGradeNat: 'carrier-grade NAT',
  multicast: 'multicast',
  broadcast: 'broadcast',
  unspecified: 'unspecified',
};
