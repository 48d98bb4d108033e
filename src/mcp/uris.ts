import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Artifact } from '../service/artifacts.ts';
import { SCHEMA_URI } from './plan-files.ts';
import type { Link } from './tool.ts';

/** What everybody can read. */
export const SCHEMA = {
  uri: SCHEMA_URI,
  name: 'plan-file-schema',
  title: 'What a plan file can say',
  description: 'The JSON Schema of plan files: every word, and what it means',
  mimeType: 'application/schema+json',
} as const;

/** What can be read by an address, of a plan of one's own. */
export const TEMPLATES = {
  log: {
    uriTemplate: 'holdpoint://plans/{plan_id}/tasks/{task}/log',
    name: 'task-log',
    title: 'The log of a task',
    description: 'What the newest attempt of a task wrote; the end of it where it is long',
    mimeType: 'text/plain',
  },
  artifact: {
    uriTemplate: 'holdpoint://plans/{plan_id}/artifacts/{sha256}',
    name: 'artifact',
    title: 'An artifact',
    description: 'A declared file, or a large output, that a task of the plan stored',
  },
  rows: {
    uriTemplate: 'holdpoint://operations/{plan_id}/rows{?offset,of}',
    name: 'operation-rows',
    title: 'The rows of a program',
    description:
      'All that a program has read and kept, from `offset` on, also while it runs and when it was cancelled; `of` names one of several results; `next` is where to read on',
    mimeType: 'application/json',
  },
} as const;

export type Address =
  | { what: 'schema' }
  | { what: 'log'; plan_id: string; task: string }
  | { what: 'artifact'; plan_id: string; sha256: string }
  | { what: 'rows'; plan_id: string; offset: number; of: string | undefined };

/** Undefined for what is no address of these; throws for one of rows whose query is wrong. */
export function addressOf(uri: string): Address | undefined {
  if (uri === SCHEMA_URI) return { what: 'schema' };
  if (uri.startsWith(OPERATIONS)) return rowsAddressOf(uri);
  const [, plan_id, kind, name] =
    /^holdpoint:\/\/plans\/([^/]+)\/(tasks|artifacts)\/([^/]+?)(?:\/log)?$/.exec(uri) ?? [];
  if (plan_id === undefined || name === undefined) return undefined;
  if (kind === 'artifacts') return { what: 'artifact', plan_id, sha256: name };
  if (!uri.endsWith('/log')) return undefined;
  try {
    return { what: 'log', plan_id, task: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}

const OPERATIONS = 'holdpoint://operations/';

function rowsAddressOf(uri: string): Address | undefined {
  const [, plan_id, query = ''] = /^holdpoint:\/\/operations\/([^/?#]+)\/rows(?:\?([^#]*))?$/.exec(uri) ?? [];
  if (plan_id === undefined) return undefined;
  const asked = new URLSearchParams(query);
  const offset = asked.get('offset') ?? '0';
  for (const name of asked.keys())
    if (name !== 'offset' && name !== 'of') throw wrong(`unknown word ${shown(name)}; known here: offset, of`);
  if (!/^\d{1,12}$/.test(offset)) throw wrong(`offset: is ${shown(offset)}; give a whole number from 0 on`);
  return { what: 'rows', plan_id, offset: Number(offset), of: asked.get('of') ?? undefined };
}

const wrong = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, `the rows: ${message}`);
const shown = (text: string): string => JSON.stringify(text.slice(0, 80));

export function rowsUri(planId: string, { offset = 0, of }: { offset?: number; of?: string | undefined } = {}): string {
  const asked = new URLSearchParams({ ...(offset > 0 && { offset: String(offset) }), ...(of !== undefined && { of }) });
  return `${OPERATIONS}${planId}/rows${asked.size > 0 ? `?${asked}` : ''}`;
}

export const rowsLink = (planId: string): Link => ({
  uri: rowsUri(planId),
  name: 'rows',
  description: 'All rows that were kept, whole; also of a program that runs or was cancelled',
  mimeType: TEMPLATES.rows.mimeType,
});

export const logLink = (planId: string, task: string): Link => ({
  uri: `holdpoint://plans/${planId}/tasks/${encodeURIComponent(task)}/log`,
  name: `log of ${task}`,
  description: `What the newest attempt of ${task} wrote`,
  mimeType: 'text/plain',
});

export const TYPES: Record<Artifact['form'], string> = {
  file: 'application/octet-stream',
  text: 'text/plain',
  json: 'application/json',
};

export const artifactLink = (planId: string, { sha256, bytes, task, output, path, form }: Artifact): Link => ({
  uri: `holdpoint://plans/${planId}/artifacts/${sha256}`,
  name: path ?? `${output ?? 'outputs'} of ${task}`,
  description: path === undefined ? `An output of ${task}` : `A file that ${task} made`,
  mimeType: TYPES[form],
  size: bytes,
});
