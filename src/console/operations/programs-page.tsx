import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LibraryBig } from 'lucide-react';
import { useEffect } from 'react';
import { Failure } from '../ui/failure.tsx';
import { Ago } from '../ui/times.tsx';
import { OpenSession } from './open-session.tsx';
import { catalogsQuery, sessionsQuery } from './queries.ts';
import { Sessions } from './sessions.tsx';
import './operations.css';

/** What may be asked of which sources, and who asks. */
export function ProgramsPage() {
  const { data: catalogs, error, refetch } = useQuery(catalogsQuery);
  const sessions = useQuery(sessionsQuery);
  useEffect(() => {
    document.title = 'Programs – Holdpoint';
  }, []);
  if (error && !catalogs) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <div className="programs stack">
      <h1>Programs</h1>
      <p className="muted">
        Small programs over catalogs of what sources have, written by agents and people. What takes long runs in the
        background, as an operation of its session.
      </p>
      {catalogs && catalogs.length > 0 && <OpenSession catalogs={catalogs} />}
      <section aria-labelledby="sessions" className="stack">
        <h2 id="sessions">Sessions in use</h2>
        {sessions.error && !sessions.data && <Failure error={sessions.error} retry={() => void sessions.refetch()} />}
        {sessions.data && sessions.data.length > 0 && <Sessions sessions={sessions.data} withCatalog />}
        {!sessions.data && !sessions.error && <p className="muted">Reading the sessions …</p>}
        {sessions.data?.length === 0 && (
          <p className="muted">None: the first dry run, or operation, makes one. It ends a day after its last use.</p>
        )}
      </section>
      <section aria-labelledby="catalogs" className="stack">
        <h2 id="catalogs">Catalogs</h2>
        {!catalogs && <p className="muted">Reading the catalogs …</p>}
        {catalogs?.length === 0 && (
          <div className="empty card">
            <LibraryBig aria-hidden size={28} />
            <p>None yet.</p>
            <p>
              A catalog is registered with <code>POST /catalogs</code>.
            </p>
          </div>
        )}
        {catalogs && catalogs.length > 0 && (
          <ul className="program-list card">
            {catalogs.map(({ prompt_hash, name, entities, created_at }) => (
              <li key={prompt_hash}>
                <Link to="/programs/$hash" params={{ hash: prompt_hash }} className="program-name cut">
                  {name}
                </Link>
                <span className="muted cut">{entities.join(', ')}</span>
                <span className="program-facts muted">
                  <code>{prompt_hash.slice(0, 8)}</code>
                  <span>
                    registered <Ago at={created_at} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
