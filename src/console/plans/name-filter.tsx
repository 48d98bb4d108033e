import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

/** Nothing is read before somebody has stopped typing for so long. */
const QUIET_MS = 250;

/** The beginning of the plans' names, or the whole id of one; what is typed is told once it is quiet. */
export function NameFilter({ name, onName }: { name: string; onName: (name: string) => void }) {
  const [text, setText] = useState(name);
  const told = useRef(name);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Changed by others: a link, the way back, or `Clear filters`.
    if (name === told.current) return;
    clearTimeout(timer.current);
    told.current = name;
    setText(name);
  }, [name]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (next: string) => {
    clearTimeout(timer.current);
    told.current = next.trim();
    onName(told.current);
  };
  return (
    <label className="name-filter">
      <Search aria-hidden size={16} />
      <input
        type="search"
        aria-label="Name begins with"
        placeholder="Name begins with …, or an id"
        maxLength={100}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(tell, QUIET_MS, value);
        }}
        onKeyDown={({ key }) => key === 'Enter' && tell(text)}
      />
    </label>
  );
}
