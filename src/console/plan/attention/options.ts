type Look = 'plain' | 'primary' | 'danger';

const LOOKS: Record<string, Look> = { approve: 'primary', reject: 'danger', abort: 'danger', retry: 'primary' };

/** What each choice does to a task that has failed and holds its plan. */
const DECISIONS: Record<string, string> = {
  retry: 'The task gets its attempts anew.',
  skip: 'The task, and what needs it, is left out; the rest goes on.',
  complete: 'The task is taken as done; what needs it goes on.',
  abort: 'The task fails the plan; what runs finishes, and nothing new starts.',
};

export interface Option {
  choice: string;
  look: Look;
  about?: string | undefined;
}

export const optionsOf = ({ kind, options }: { kind: string; options: readonly string[] }): Option[] =>
  options.map((choice) => ({
    choice,
    look: LOOKS[choice] ?? 'plain',
    ...(kind === 'decision' && { about: DECISIONS[choice] }),
  }));
