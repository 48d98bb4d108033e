import { Link } from '@tanstack/react-router';
import type { SessionListed } from '../api/types.ts';
import { Ago } from '../ui/times.tsx';
import { sessionLink } from './places.ts';

/** Sessions that are in use, each with how much was run in it. */
export function Sessions({ sessions, withCatalog = false }: { sessions: SessionListed[]; withCatalog?: boolean }) {
  return (
    <ul className="program-list card">
      {sessions.map((each) => {
        const { prompt_hash: hash, catalog, session, surface, operations, last_used_at } = each;
        return (
          <li key={`${hash} ${surface} ${session}`}>
            <Link {...sessionLink({ hash, session, surface })} className="program-name cut">
              {session}
            </Link>
            {withCatalog && <span className="muted cut">{catalog ?? 'of a catalog that is gone'}</span>}
            <span className="program-facts muted">
              <span>{surface === 'mcp' ? 'over MCP' : 'over HTTP'}</span>
              {operations !== null && (
                <span>
                  {operations} {operations === 1 ? 'operation' : 'operations'}
                </span>
              )}
              {last_used_at !== null && (
                <span>
                  used <Ago at={last_used_at} />
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
