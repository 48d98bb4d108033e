import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES, type SearchAttributeType } from '../contract/search-attributes.ts';
import { oneLine } from './one-line.ts';

const { IndexedValueType } = proto.temporal.api.enums.v1;
const TYPES: Record<SearchAttributeType, proto.temporal.api.enums.v1.IndexedValueType> = {
  Keyword: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  KeywordList: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
  Datetime: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
};
/** Something that an attribute of the type may be compared with. */
const ANY_VALUE: Record<SearchAttributeType, string> = {
  Keyword: 'x',
  KeywordList: 'x',
  Datetime: '2000-01-01T00:00:00Z',
};
const USABLE_WITHIN_MS = 15_000;

/** Registers the search attributes that are missing; returns a warning for each that cannot be, with what to run by hand. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const reasons: string[] = [];
  const noting = (error: unknown) => {
    reasons.push(oneLine(error));
  };
  const missing = await missingAttributes(connection, namespace).catch(noting);
  if (missing?.length === 0) return [];
  const wanted = missing ?? Object.values(SEARCH_ATTRIBUTES);
  const searchAttributes = Object.fromEntries(wanted.map(({ name, type }) => [name, TYPES[type]]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes }).catch(noting);
  // Another engine may have been first, which reads as a refusal.
  const still = await missingAttributes(connection, namespace).catch(() => wanted);
  if (still.length === 0) await untilUsable(connection, namespace);
  return still.map(
    ({ name, type }) =>
      `The search attribute ${name} is not registered as ${type}, and plans cannot start without it ` +
      `(${reasons.join('; ') || 'Temporal gives no reason'}). Run: ` +
      `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${type}`,
  );
}

async function missingAttributes(connection: Connection, namespace: string) {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.values(SEARCH_ATTRIBUTES).filter(({ name, type }) => customAttributes?.[name] !== TYPES[type]);
}

/** Temporal's front end learns of a new attribute only when it reads the namespace again, about every 2 s, and refuses it until then. */
async function untilUsable(connection: Connection, namespace: string): Promise<void> {
  const query = Object.values(SEARCH_ATTRIBUTES)
    .map(({ name, type }) => `${name} = '${ANY_VALUE[type]}'`)
    .join(' AND ');
  const deadline = performance.now() + USABLE_WITHIN_MS;
  while (performance.now() < deadline) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return;
    } catch {
      await sleep(100);
    }
  }
}
