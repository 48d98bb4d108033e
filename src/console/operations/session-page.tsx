import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Failure } from '../ui/failure.tsx';
import { OperationsOf } from './operation-list.tsx';
import type { SessionPlace } from './places.ts';
import { ProgramBox } from './program-box.tsx';
import { ProgramPath } from './program-path.tsx';
import { catalogQuery } from './queries.ts';
import './operations.css';

const route = getRouteApi('/programs/$hash/$session');

/** A session by its name; another one is another page, with nothing of this one's. */
export function SessionPage() {
  const { hash, session } = route.useParams();
  const { surface = 'http' } = route.useSearch();
  return <Session key={`${hash} ${surface} ${session}`} place={{ hash, session, surface }} />;
}

/** What is run in it, and a box to run more. */
function Session({ place }: { place: SessionPlace }) {
  const { hash, session, surface } = place;
  const { data: catalog, error, refetch } = useQuery(catalogQuery(hash));
  useEffect(() => {
    document.title = `${session} – Programs – Holdpoint`;
  }, [session]);
  if (error && !catalog) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <div className="programs stack">
      <header className="program-head">
        <ProgramPath hash={hash} />
        <h1>{session}</h1>
        {surface === 'mcp' && <p className="muted">An agent’s, over MCP: only the agent runs programs in it.</p>}
      </header>
      {surface === 'http' && <ProgramBox place={place} entities={catalog?.entities ?? []} />}
      <OperationsOf place={place} />
    </div>
  );
}
