import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import type { CatalogListed } from '../api/types.ts';
import { Button } from '../ui/button.tsx';
import { sessionLink } from './places.ts';

const LONGEST_NAME = 150;

/** A session is named: its first use makes it. */
export function OpenSession({ catalogs }: { catalogs: Pick<CatalogListed, 'prompt_hash' | 'name'>[] }) {
  const navigate = useNavigate();
  const id = useId();
  const [chosen, choose] = useState<string>();
  const [name, setName] = useState('console');
  const [failure, setFailure] = useState<string>();
  const hash = catalogs.find(({ prompt_hash }) => prompt_hash === chosen)?.prompt_hash ?? catalogs[0]?.prompt_hash;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const session = name.trim();
    if (session === '') return setFailure('Give the session a name.');
    if (hash !== undefined) void navigate(sessionLink({ hash, session, surface: 'http' }));
  };
  return (
    <form className="session-open" aria-label="Open a session" onSubmit={submit} noValidate>
      {catalogs.length > 1 && (
        <div className="field">
          <label htmlFor={`${id}catalog`}>Catalog</label>
          <select id={`${id}catalog`} value={hash} onChange={({ target }) => choose(target.value)}>
            {catalogs.map(({ prompt_hash, name }) => (
              <option key={prompt_hash} value={prompt_hash}>
                {name} ({prompt_hash.slice(0, 8)})
              </option>
            ))}
          </select>
        </div>
      )}
      <div className="field">
        <label htmlFor={`${id}name`}>Session</label>
        <input
          id={`${id}name`}
          value={name}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          aria-describedby={`${id}failure`}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Button type="submit" look="primary">
        Open
      </Button>
      <p id={`${id}failure`} role="alert" className="field-error">
        {failure}
      </p>
    </form>
  );
}
