import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent } from '@tanstack/react-router';
import { operationSearch, sessionSearch } from '../operations/places.ts';
import { planSearch } from '../plan/search.ts';
import { listSearch } from '../plans/search.ts';
import { Failure } from '../ui/failure.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <div className="empty">
      <p>There is no such page.</p>
      <Link to="/">All plans</Link>
    </div>
  ),
});

/** The router would hand a page all that an address says, as it says it, beside what the page reads of it: only that is left. */
const only =
  <Search extends object>(read: (search: Record<string, unknown>) => Search) =>
  (search: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(search).map((key) => [key, undefined])),
    ...read(search),
  });

/** What a page shows is in its address: one that is sent to somebody shows them the same. */
export const listRoute = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: only(listSearch),
  component: lazyRouteComponent(() => import('../plans/list-page.tsx'), 'ListPage'),
});
export const planRoute = createRoute({
  getParentRoute: () => root,
  path: '/plans/$planId',
  validateSearch: only(planSearch),
  component: lazyRouteComponent(() => import('../plan/plan-page.tsx'), 'PlanPage'),
});
export const newPlanRoute = createRoute({
  getParentRoute: () => root,
  path: '/new',
  component: lazyRouteComponent(() => import('../new-plan/new-plan-page.tsx'), 'NewPlanPage'),
});

export const chatsRoute = createRoute({
  getParentRoute: () => root,
  path: '/chats',
  component: lazyRouteComponent(() => import('../chats/chats-page.tsx'), 'ChatsPage'),
});
export const chatRoute = createRoute({
  getParentRoute: () => root,
  path: '/chats/$chatId',
  component: lazyRouteComponent(() => import('../chats/chat-page.tsx'), 'ChatPage'),
});

export const programsRoute = createRoute({
  getParentRoute: () => root,
  path: '/programs',
  component: lazyRouteComponent(() => import('../operations/programs-page.tsx'), 'ProgramsPage'),
});
export const catalogRoute = createRoute({
  getParentRoute: () => root,
  path: '/programs/$hash',
  component: lazyRouteComponent(() => import('../operations/catalog-page.tsx'), 'CatalogPage'),
});
export const programSessionRoute = createRoute({
  getParentRoute: () => root,
  path: '/programs/$hash/$session',
  validateSearch: only(sessionSearch),
  component: lazyRouteComponent(() => import('../operations/session-page.tsx'), 'SessionPage'),
});
export const operationRoute = createRoute({
  getParentRoute: () => root,
  path: '/programs/$hash/$session/$handle',
  validateSearch: only(operationSearch),
  component: lazyRouteComponent(() => import('../operations/operation-page.tsx'), 'OperationPage'),
});

const PAGES = [
  ...[listRoute, planRoute, newPlanRoute, chatsRoute, chatRoute],
  ...[programsRoute, catalogRoute, programSessionRoute, operationRoute],
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...PAGES]),
  basepath: new URL(document.baseURI).pathname,
  defaultPreload: 'intent',
  // A page that fails does so within the shell, whose menu leads away from it.
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
  scrollRestoration: true,
});

/** Fetches the code of all pages, so that one that is first looked at while the engine is down is there all the same. */
export async function fetchPages(): Promise<void> {
  for (const { component } of PAGES.map(({ options }) => options))
    await Promise.resolve(component?.preload?.()).catch(() => {});
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
