import { defineQuery, setHandler } from '@temporalio/workflow';
import { QUERIES } from '../contract/names.ts';

/** Ends at once and is then only queried: whoever gets an answer knows that a worker is up. */
export async function probe(): Promise<void> {
  setHandler(defineQuery<string>(QUERIES.ping), () => 'pong');
}
