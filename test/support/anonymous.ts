import { homedir, hostname, tmpdir } from 'node:os';
import { unpack } from '../../src/contract/packed.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What names a machine, its files or its processes, and what stands in its place. */
const KEYS: Record<string, string> = { identity: 'worker@machine', stackTrace: '', source: '' };

/**
 * A history in JSON without what it says of the machine it was recorded on: who polled, stack traces, and paths inside payloads.
 * Throws when something is left that it cannot take out; packed payloads are looked into, too.
 */
export function anonymous(history: Json): Json {
  const clean = walk(history);
  const left = traces(clean);
  if (left.length > 0) throw new Error(`the history still names this machine: ${left.join(', ')}`);
  return clean;
}

function walk(value: Json, key = ''): Json {
  if (typeof value === 'string')
    return key in KEYS ? KEYS[key]! : key === 'data' ? cleanPayload(value) : cleanText(value);
  if (Array.isArray(value)) return value.map((item) => walk(item));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, key)]));
}

function cleanPayload(data: string): string {
  const text = Buffer.from(data, 'base64').toString('utf8');
  const clean = cleanText(text);
  return clean === text ? data : Buffer.from(clean).toString('base64');
}

const OURS: [RegExp, string][] = [
  [new RegExp(`${escaped(tmpdir())}/holdpoint-\\w+-\\w+`, 'g'), '/holdpoint'],
  [new RegExp(escaped(process.cwd()), 'g'), '/holdpoint'],
  [new RegExp(`\\d+@${escaped(hostname())}`, 'g'), 'worker@machine'],
];

const cleanText = (text: string) => OURS.reduce((clean, [found, instead]) => clean.replace(found, instead), text);

function traces(history: Json): string[] {
  const texts: string[] = [];
  const visit = (value: Json, key = ''): void => {
    if (typeof value === 'string')
      texts.push(key === 'data' ? unpacked(Buffer.from(value, 'base64').toString('utf8')) : value);
    else if (Array.isArray(value)) for (const item of value) visit(item);
    else if (value !== null && typeof value === 'object')
      for (const [key, item] of Object.entries(value)) visit(item, key);
  };
  visit(history);
  const home = homedir() === '/' ? [] : [`${homedir()}/`];
  const name = new RegExp(`\\b${escaped(hostname())}\\b`);
  const paths = [process.cwd(), `${tmpdir()}/`, ...home].filter((trace) => texts.some((text) => text.includes(trace)));
  return texts.some((text) => name.test(text)) ? [hostname(), ...paths] : paths;
}

/** What a payload holds packed, as it reads. */
const unpacked = (text: string): string =>
  text.replace(/\{"packed":"([^"]+)"\}/g, (_, packed: string) => JSON.stringify(unpack<object>({ packed })));

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
