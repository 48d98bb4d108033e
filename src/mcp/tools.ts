import type { Tool } from './tool.ts';
import { agentsRun } from './tools/agents-run.ts';
import { agentsStatus } from './tools/agents-status.ts';
import { planAnswer } from './tools/answer.ts';
import { planCreate } from './tools/create.ts';
import { planList } from './tools/list.ts';
import { planLogs } from './tools/logs.ts';
import { planPause } from './tools/pause.ts';
import { plasm } from './tools/plasm.ts';
import { plasmCatalogs } from './tools/plasm-catalogs.ts';
import { plasmRun } from './tools/plasm-run.ts';
import { planResume } from './tools/resume.ts';
import { planRetry } from './tools/retry.ts';
import { planStatusTool } from './tools/status.ts';
import { planStop } from './tools/stop.ts';
import { planValidate } from './tools/validate.ts';
import { planWait } from './tools/wait.ts';

/** Every tool, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  ...[planCreate, planStatusTool, planWait, planStop, planResume, planRetry],
  ...[planPause, planAnswer, planList, planLogs, planValidate],
  ...[agentsRun, agentsStatus],
  ...[plasm, plasmRun, plasmCatalogs],
];
