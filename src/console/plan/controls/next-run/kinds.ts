import { CONTROLS } from '../controls.ts';

/** The ways to start a plan's next run. */
export const NEXT_RUN_KINDS = {
  resume: {
    control: CONTROLS.resume_run,
    mode: 'resume',
    start: 'Resume',
    about: 'The next run keeps what was finished, and does the rest.',
  },
  retry: {
    control: CONTROLS.retry_run,
    mode: 'retry',
    start: 'Retry',
    about: 'The next run starts from nothing: everything is done again.',
  },
  edit: {
    control: CONTROLS.edit_run,
    mode: 'resume',
    start: 'Resume with edits',
    about: 'The next run goes by the file as you edit it. What is the same and was finished is kept.',
  },
} as const;
export type NextRunKind = keyof typeof NEXT_RUN_KINDS;
