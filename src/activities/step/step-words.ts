import type { JsonObject } from '../../plan/json.ts';
import type { Does, Earlier } from '../../plan/step/variables.ts';

export const CAPTURE_FORMATS = ['string', 'json', 'lines', 'number', 'boolean'] as const;
export type CaptureFormat = (typeof CAPTURE_FORMATS)[number];
export const CAPTURE_STREAMS = ['stdout', 'stderr', 'exit_code', 'success', 'duration'] as const;
export type CaptureStream = (typeof CAPTURE_STREAMS)[number];

/** One command of a step, with what follows when it fails or succeeds. */
export interface CommandWords {
  does: Does;
  text: string;
  id?: string;
  capture?: { name: string; format: CaptureFormat; streams: CaptureStream[] };
  env?: Record<string, string>;
  working_dir?: string;
  timeout_ms?: number;
  commit_required?: true;
  allow_failure?: true;
  on_success?: CommandWords[];
  on_failure?: HandlerWords;
}

/** What is done when a command fails. */
export interface HandlerWords {
  commands: CommandWords[];
  /** How often the command that failed is tried in all: after each failure but the last the handler runs. 1: it is not tried again. */
  max_attempts: number;
  /** Whether the step fails although the handler did not. */
  fail: boolean;
}

/** The words of a task made from a step, as its attempts get them. */
export interface StepWords {
  command: CommandWords;
  /** For `${step.index}`, from 1, and `${step.name}`. */
  step: { index: number; name: string };
  /** The earlier steps that its texts read, in order. */
  before: Earlier[];
  env_file?: string[];
  secrets?: string[];
}

export type Given = JsonObject;
