import { z } from 'zod';
import type { Json } from '../plan/json.ts';
import { defineTaskKind } from '../plan/kind.ts';
import type { ActivityKind } from './kind.ts';
import { executeStep } from './step/execute-step.ts';

/** A step of a workflow file that gives a text to the agent of the machine; its words are made by `service/workflow-file`. */
export const claude = defineTaskKind<Json, ActivityKind<Json>>({
  key: 'claude',
  mode: 'activity',
  version: 1,
  words: z.json(),
  secrets: 'environment',
  plain: (words) => words,
  permission: 'plan:run_commands',
  execute: executeStep,
});
