import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SessionPlace, sessionLink } from './places.ts';
import { catalogQuery } from './queries.ts';

interface ProgramPathProps {
  /** The catalog that the page stands below. */
  hash?: string;
  /** The session of it. */
  of?: SessionPlace;
}

/** Where a page stands among those of programs: what is above it. */
export function ProgramPath({ of, hash = of?.hash }: ProgramPathProps) {
  return (
    <p className="program-path">
      <Link to="/programs">Programs</Link>
      {hash !== undefined && (
        <>
          {' / '}
          <CatalogLink hash={hash} />
        </>
      )}
      {of && (
        <>
          {' / '}
          <Link {...sessionLink(of)}>{of.session}</Link>
        </>
      )}
    </p>
  );
}

function CatalogLink({ hash }: { hash: string }) {
  const { data: catalog } = useQuery(catalogQuery(hash));
  return (
    <Link to="/programs/$hash" params={{ hash }}>
      {catalog?.name ?? hash.slice(0, 8)}
    </Link>
  );
}
