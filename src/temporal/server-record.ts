import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { readRecord, removeRecord, writeRecord } from '../home/home-lock.ts';
import { isAlive, ProcessIdentity } from '../home/process-identity.ts';

/** Who runs a home's embedded server, and where; kept in `temporal.json` and changed under its lock only. */
export const ServerRecord = ProcessIdentity.extend({
  schema_version: z.literal(1),
  port: z.int().positive(),
  ui_port: z.int().positive(),
  sqlite_synchronous: z.enum(['NORMAL', 'FULL']),
  /** The server was making its database and has not answered yet. */
  is_new: z.boolean(),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

export const serverRecordPath = (config: Config) => join(config.home, 'temporal.json');
export const databasePath = (config: Config) => join(config.home, 'temporal.db');
export const serverLogPath = (config: Config) => join(config.home, 'logs', 'temporal.log');

export const readServerRecord = (config: Config) => readRecord(serverRecordPath(config), ServerRecord);
export const writeServerRecord = (config: Config, record: ServerRecord) =>
  writeRecord(serverRecordPath(config), record);

/** Forgets a server, unless the record has come to name another one. */
export function removeServerRecord(config: Config, identity: ProcessIdentity): void {
  const record = readServerRecord(config);
  const isOther = record && (record.pid !== identity.pid || record.started !== identity.started);
  if (!isOther) removeRecord(serverRecordPath(config));
}

export const isRunning = (record: ServerRecord | undefined): record is ServerRecord =>
  record !== undefined && isAlive(record);

/** host:port of its gRPC front end. */
export const addressOf = ({ port }: { port: number }) => `127.0.0.1:${port}`;
