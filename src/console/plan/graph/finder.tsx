import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Layout } from './layout.ts';
import type { Marks } from './marks.ts';
import type { Camera } from './use-camera.ts';

/** Finds tasks by a part of their id; Enter goes from one to the next. */
export function Finder({ layout, camera, marks }: { layout: Layout; camera: Camera; marks: Marks }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState<{ n: number; of: number }>();
  const go = (wanted: string, n: number) => {
    const found = wanted === '' ? [] : idsLike(layout, wanted);
    const next = found[n % Math.max(1, found.length)];
    setAt(wanted === '' ? undefined : { n: n % Math.max(1, found.length), of: found.length });
    if (next === undefined) return;
    marks.mark('active', next);
    camera.show(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(text.trim(), at ? at.n + 1 : 0);
  };
  return (
    <search>
      <form className="finder" onSubmit={submit}>
        <Search aria-hidden size={15} />
        <input
          type="search"
          aria-label="Find a task"
          placeholder="Find a task"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            go(target.value.trim(), 0);
          }}
        />
        <span className="finder-count" aria-live="polite">
          {at && (at.of === 0 ? 'none' : `${at.n + 1} of ${at.of}`)}
        </span>
      </form>
    </search>
  );
}

/** Those that begin so first. */
function idsLike({ tasks }: Layout, text: string): string[] {
  const wanted = text.toLowerCase();
  const rank = (id: string) => (id === wanted ? 0 : id.startsWith(wanted) ? 1 : id.includes(wanted) ? 2 : 3);
  return tasks
    .map(({ id }) => ({ id, rank: rank(id.toLowerCase()) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ id }) => id);
}
