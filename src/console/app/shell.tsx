import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useEffect } from 'react';
import { call } from '../api/client.ts';
import { aboutQuery, meQuery, queryClient, SIGNED_OUT } from '../api/queries.ts';
import { hearOrganisation } from '../live/organisation.ts';
import { Failure } from '../ui/failure.tsx';
import { Notices } from '../ui/notices.tsx';
import { Banners } from './banners.tsx';
import { SignIn } from './sign-in.tsx';
import { ThemeButton } from './theme.tsx';

/** The pages, in the order of the menu. */
const PAGES = [
  { to: '/', words: 'Plans', exact: true },
  { to: '/new', words: 'New plan', exact: true },
  { to: '/chats', words: 'Chats', exact: false },
  { to: '/programs', words: 'Programs', exact: false },
] as const;

/** What is around every page; asks for a sign-in where that is needed. */
export function Shell() {
  const { data: signedOut } = useQuery({ queryKey: SIGNED_OUT, queryFn: () => false, staleTime: Infinity });
  const me = useQuery(meQuery);
  const isIn = me.data !== undefined && signedOut !== true;
  useEffect(() => (isIn ? hearOrganisation() : undefined), [isIn]);
  if (signedOut === true) return <SignIn />;
  return (
    <>
      <button type="button" className="button skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header className="page-top">
        <Link to="/" className="brand">
          <img src="icon.svg" alt="" width={24} height={24} /> Holdpoint
        </Link>
        <nav aria-label="Pages">
          {PAGES.map(({ to, words, exact }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact, includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
            >
              {words}
            </Link>
          ))}
        </nav>
        <Who />
      </header>
      <Banners />
      <main id="main" tabIndex={-1}>
        {me.error && !me.data ? <Failure error={me.error} retry={() => void me.refetch()} /> : me.data && <Outlet />}
      </main>
      <Notices />
    </>
  );
}

function Who() {
  const { data: me } = useQuery(meQuery);
  const { data: about } = useQuery(aboutQuery);
  const signOut = async () => {
    await call('DELETE', 'api/session');
    queryClient.setQueryData(SIGNED_OUT, true);
  };
  return (
    <div className="who">
      {me && (
        <span className="who-name" title={`${me.name} (${me.id}) of the organisation ${me.org_id}`}>
          {me.name} <span className="muted">{me.org_id}</span>
        </span>
      )}
      <ThemeButton />
      {about?.authentication === 'required' && (
        <button
          type="button"
          className="button"
          data-look="quiet"
          aria-label="Sign out"
          title="Sign out"
          onClick={signOut}
        >
          <LogOut aria-hidden size={18} />
        </button>
      )}
    </div>
  );
}
