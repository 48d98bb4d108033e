import { z } from 'zod';
import type { Json, JsonObject } from '../plan/json.ts';
import { defineTaskKind } from '../plan/kind.ts';
import { type ActivityKind, TaskFailure } from './kind.ts';
import { beginLog } from './logs/attempt-files.ts';
import { findFiles } from './run/find-files.ts';
import { outputKeeper } from './run/output-keeper.ts';

/** What a workflow file is run once for: every file that matches one of `map`, then every one of `args`. */
export const iterations = defineTaskKind<Json, ActivityKind<Json>>({
  key: 'iterations',
  mode: 'activity',
  version: 1,
  words: z.json(),
  plain: (words) => words,
  async execute(input, { store, signal, planFolder }) {
    const { map, args } = input.with as { map: string[]; args: string[] };
    await beginLog(planFolder, input);
    const keeper = outputKeeper(store, input.inline_limit);
    const list: JsonObject[] = [];
    const directory = input.place.directory;
    if (directory === undefined && map.length > 0)
      throw new TaskFailure('map: the plan has no directory to look for files in', { final: 'invalid' });
    for (const pattern of map) {
      const found: string[] = [];
      for await (const path of findFiles(directory!, pattern, signal)) found.push(path);
      list.push(...found.sort().map((file) => ({ name: file, file })));
    }
    list.push(...args.map((arg) => ({ name: arg })));
    const total = list.length;
    return { outputs: { stdout: await keeper.keep(list.map((one) => ({ ...one, total }))) } };
  },
});
