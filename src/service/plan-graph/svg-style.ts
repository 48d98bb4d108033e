/** Colours by role, light and dark; contrast of text is at least 4.5 to 1 in both. */
const LIGHT = {
  ground: '#ffffff',
  box: '#f8fafc',
  line: '#64748b',
  name: '#0f172a',
  text: '#475569',
  group: '#f1f5f9',
  question: '#fef3c7',
  asks: '#b45309',
  running: '#2563eb',
  waiting: '#7c3aed',
  backing_off: '#c2410c',
  succeeded: '#15803d',
  failed: '#dc2626',
  cancelled: '#78716c',
};
const DARK: typeof LIGHT = {
  ground: '#0b1120',
  box: '#1e293b',
  line: '#94a3b8',
  name: '#f1f5f9',
  text: '#cbd5e1',
  group: '#131c2f',
  question: '#422006',
  asks: '#fbbf24',
  running: '#60a5fa',
  waiting: '#a78bfa',
  backing_off: '#fb923c',
  succeeded: '#4ade80',
  failed: '#f87171',
  cancelled: '#a8a29e',
};

const variables = (colours: typeof LIGHT): string =>
  Object.entries(colours)
    .map(([role, colour]) => `--${role}:${colour}`)
    .join(';');

const STATUSES = ['running', 'waiting', 'backing_off', 'succeeded', 'failed', 'cancelled'] as const;

export const NAME_SIZE = 14;
export const TEXT_SIZE = 12;

/** The style sheet inside the drawing: it follows the reader's light or dark scheme. */
export const STYLE = `
svg{${variables(LIGHT)};color-scheme:light dark;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
@media (prefers-color-scheme:dark){svg{${variables(DARK)}}}
.ground{fill:var(--ground)}
.box{fill:var(--box);stroke:var(--line);stroke-width:1.25}
.question .box{fill:var(--question);stroke:var(--asks);stroke-width:2}
.group>.box{fill:var(--group)}
.handler>.box{fill:none;stroke-dasharray:6 4}
.edge{fill:none;stroke:var(--line);stroke-width:1.5}
.head{fill:var(--line)}
.name{fill:var(--name);font-size:${NAME_SIZE}px;font-weight:600}
.text{fill:var(--text);font-size:${TEXT_SIZE}px}
.title{fill:var(--name);font-size:18px;font-weight:700}
.skipped{opacity:.65}
.skipped>.box{stroke-dasharray:4 3}
${STATUSES.map((status) => `.${status}>.box{stroke:var(--${status});stroke-width:2.25}.${status}>.status{fill:var(--${status});font-weight:600}`).join('\n')}
`;
