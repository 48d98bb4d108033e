/** The characters the live view draws with: the console of Linux has few. */
export interface Signs {
  spinner: readonly string[];
  asks: string;
  clock: string;
  again: string;
  held: string;
  failed: string;
  done: string;
  next: string;
  pointer: string;
  full: string;
  empty: string;
}

const RICH: Signs = {
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  asks: '?',
  clock: '◷',
  again: '↻',
  held: '‖',
  failed: '✗',
  done: '✓',
  next: '·',
  pointer: '❯',
  full: '━',
  empty: '─',
};

const PLAIN: Signs = {
  spinner: ['|', '/', '-', '\\'],
  asks: '?',
  clock: '~',
  again: '@',
  held: '=',
  failed: 'x',
  done: '+',
  next: '.',
  pointer: '>',
  full: '#',
  empty: '-',
};

export const signsFor = ({ TERM }: NodeJS.ProcessEnv): Signs => (TERM === 'linux' ? PLAIN : RICH);
