import { randomBytes } from 'node:crypto';

const LONGEST_NAME = 24;

/** A session's id, for people: its date and time, its plan's name, and five characters that no other one has. */
export function newSessionId(name: string, now = new Date()): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-+|-+$/g, '');
  return [date, `${two(now.getHours())}${two(now.getMinutes())}`, slug || 'plan', suffix()].join('-');
}

/** Without letters and digits that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';
const suffix = (): string => Array.from(randomBytes(5), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
