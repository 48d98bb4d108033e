import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Failure } from '../ui/failure.tsx';
import { OpenSession } from './open-session.tsx';
import { ProgramPath } from './program-path.tsx';
import { catalogQuery, sessionsQuery } from './queries.ts';
import { TextBlock } from './scrolling.tsx';
import { Sessions } from './sessions.tsx';
import './operations.css';

const route = getRouteApi('/programs/$hash');

/** A catalog as agents are taught it. */
export function CatalogPage() {
  const { hash } = route.useParams();
  const { data: catalog, error, refetch } = useQuery(catalogQuery(hash));
  const { data: all = [] } = useQuery(sessionsQuery);
  const sessions = all.filter(({ prompt_hash }) => prompt_hash === hash);
  const name = catalog?.name;
  useEffect(() => {
    if (name !== undefined) document.title = `${name} – Programs – Holdpoint`;
  }, [name]);
  if (error && !catalog) return <Failure error={error} retry={() => void refetch()} />;
  if (!catalog) return <p className="muted">Reading the catalog …</p>;
  return (
    <div className="programs stack">
      <header className="program-head">
        <ProgramPath />
        <h1>{catalog.name}</h1>
        <p className="muted">
          <code>{catalog.prompt_hash}</code>
        </p>
      </header>
      <OpenSession catalogs={[catalog]} />
      {sessions.length > 0 && (
        <section aria-labelledby="sessions" className="stack">
          <h2 id="sessions">Sessions in use</h2>
          <Sessions sessions={sessions} />
        </section>
      )}
      <section aria-labelledby="teaching" className="stack">
        <h2 id="teaching">What agents are taught</h2>
        <TextBlock label="Teaching text" className="teaching" text={catalog.teaching} />
      </section>
    </div>
  );
}
