import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import { PERMISSIONS, type Permission } from '../service/caller.ts';
import { readDocument } from '../service/plan-file/document.ts';
import { collectProblems, type Report } from '../service/plan-file/problems.ts';
import { checkSchema } from '../service/plan-file/schema-problems.ts';
import { displayName, orgId, principalId } from './principal.ts';

/** A key as the engine knows it: never the key itself. */
export interface ApiKey {
  /** SHA-256 of the key. */
  hash: Buffer;
  id: string;
  name: string;
  org_id: string;
  permissions: Permission[];
  /** ms since the epoch. */
  expires_at?: number;
}

/** What is wrong with a key is said without the key: the message goes to logs. */
const key = z.string('has to be text').min(8, 'is shorter than 8 characters').max(500, 'is longer than 500 characters');
const wrongType = (told: string) => ({
  error: ({ code }: { code?: string }) => (code === 'invalid_type' ? told : undefined),
});
const keyFile = z.array(
  z.strictObject(
    {
      key: key.regex(/^[\x21-\x7e]*$/, 'has to be printable ASCII without spaces').optional(),
      key_sha256: z
        .string('has to be text')
        .regex(/^[0-9a-fA-F]{64}$/, 'has to be 64 hexadecimal digits')
        .optional(),
      id: principalId,
      name: displayName,
      org_id: orgId,
      permissions: z.array(z.enum(PERMISSIONS)),
      expires_at: z.iso
        .datetime({ offset: true, error: 'is not a time; give one like 2030-01-31T09:00:00Z' })
        .optional(),
    },
    wrongType('has to be an entry {key_sha256, id, name, org_id, permissions}'),
  ),
  wrongType('has to be a list of entries, one for each key'),
);

export type ApiKeyEntry = z.input<typeof keyFile>[number];

/** Reads a list of keys; throws CONFIG_INVALID with all that is wrong and where. `where` names the file. */
export function parseApiKeys(text: string, where: string): ApiKey[] {
  const document = readDocument(text);
  const problems = collectProblems(document);
  const entries = document.content === undefined ? undefined : check(document.content, problems);
  try {
    problems.raise();
  } catch (error) {
    throw error instanceof Fault ? asConfigFault(error, where) : error;
  }
  return entries!;
}

function check(content: unknown, report: Report): ApiKey[] {
  const entries = checkSchema(keyFile, content, report) ?? [];
  const ids = new Set<string>();
  const hashes = new Set<string>();
  return entries.map(({ key, key_sha256, expires_at, ...who }, index) => {
    if ((key === undefined) === (key_sha256 === undefined))
      report.problem([index], 'has to have either `key` or `key_sha256`', 'key');
    const hash = key === undefined ? Buffer.from(key_sha256 ?? '', 'hex') : sha256(key);
    const id = `${who.org_id}/${who.id}`;
    if (ids.has(id)) report.problem([index, 'id'], `"${who.id}" of ${who.org_id} is in the list twice`);
    if (hashes.has(hash.toString('hex'))) report.problem([index], 'has the same key as an entry before it', 'key');
    ids.add(id);
    hashes.add(hash.toString('hex'));
    return { ...who, hash, ...(expires_at !== undefined && { expires_at: Date.parse(expires_at) }) };
  });
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function asConfigFault({ errors = [] }: Fault, where: string): Fault {
  const told = errors.map(({ line, column, path, message }) => {
    const place = path.length > 0 ? `, ${path.join('.')}` : '';
    return `line ${line}, column ${column}${place}: ${message.replace('valid YAML', 'valid JSON')}`;
  });
  const text = told.length === 1 ? `: ${told[0]}` : ` has ${told.length} problems:\n  ${told.join('\n  ')}`;
  return new Fault('CONFIG_INVALID', `the API keys in ${where}${text}`, { errors });
}
