import { z } from 'zod';
import type { Artifact } from '../../service/artifacts.ts';
import type { AttemptLog } from '../../service/logs.ts';
import { time } from './plan-state.ts';

const log: z.ZodType<AttemptLog> = z
  .object({
    run: z.int(),
    task: z.string(),
    attempt: z.int(),
    dispatch: z.int(),
    again: z.int().optional().describe('A sub-plan was tried again in the same run'),
    bytes: z.int(),
    dropped: z.int().optional().describe('Bytes that its middle lacks'),
    started_at: time,
    last_output_at: time,
  })
  .meta({ id: 'AttemptLog' });
export const logs = z.object({ attempts: z.array(log) });

const artifact: z.ZodType<Artifact> = z
  .object({
    sha256: z.string(),
    bytes: z.int(),
    task: z.string(),
    output: z.string().optional().describe('Absent where several outputs are kept together'),
    path: z.string().optional().describe('Of a declared file: where the task made it'),
    form: z.enum(['file', 'text', 'json']),
  })
  .meta({ id: 'Artifact' });
export const artifacts = z.object({ artifacts: z.array(artifact) });
