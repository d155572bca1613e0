import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { Loading } from '../ui/notice.js';
import { arrived } from './part.js';
import { Shell } from './shell.js';
import { searchIn, textIn } from './search-text.js';

/** What every address may say: the moment that the page stands at, and the range of the time bar. Links keep both. */
interface Everywhere {
  readonly at?: string;
  readonly span?: string;
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: lazyRouteComponent(() => arrived(() => import('./not-found.js')), 'NotFound'),
  validateSearch: (search: Record<string, unknown>): Everywhere => ({
    at: textIn(search, 'at'),
    span: textIn(search, 'span'),
  }),
  search: { middlewares: [retainSearchParams(['at', 'span'])] },
});

const page = <const P extends string>(path: P) => ({ getParentRoute: () => root, path });

const routes = [
  createRoute({
    ...page('/'),
    component: lazyRouteComponent(() => arrived(() => import('../home/home-page.js')), 'HomePage'),
  }),
  createRoute({
    ...page('/queues'),
    component: lazyRouteComponent(() => arrived(() => import('../queues/queues-page.js')), 'QueuesPage'),
  }),
  createRoute({
    ...page('/queues/$queue'),
    component: lazyRouteComponent(() => arrived(() => import('../queues/queue-page.js')), 'QueuePage'),
    validateSearch: (
      search: Record<string, unknown>,
    ): { range?: string; tab?: string; from?: string; to?: string; since?: string; until?: string } => ({
      range: textIn(search, 'range'),
      tab: textIn(search, 'tab'),
      from: textIn(search, 'from'),
      to: textIn(search, 'to'),
      since: textIn(search, 'since'),
      until: textIn(search, 'until'),
    }),
  }),
  createRoute({
    ...page('/tasks'),
    component: lazyRouteComponent(() => arrived(() => import('../tasks/tasks-page.js')), 'TasksPage'),
    validateSearch: (
      search: Record<string, unknown>,
    ): { q?: string; overdue?: string; sort?: string; view?: string } => ({
      q: searchIn(search),
      overdue: textIn(search, 'overdue'),
      sort: textIn(search, 'sort'),
      view: textIn(search, 'view'),
    }),
  }),
  createRoute({
    ...page('/tasks/$id'),
    component: lazyRouteComponent(() => arrived(() => import('../tasks/task-page.js')), 'TaskPage'),
  }),
  createRoute({
    ...page('/tasks/$id/graph'),
    component: lazyRouteComponent(() => arrived(() => import('../graph/graph-page.js')), 'TaskGraphPage'),
  }),
  createRoute({
    ...page('/failures'),
    component: lazyRouteComponent(() => arrived(() => import('../failures/failures-page.js')), 'FailuresPage'),
    validateSearch: (search: Record<string, unknown>): { state?: string } => ({ state: textIn(search, 'state') }),
  }),
  createRoute({
    ...page('/failures/$group'),
    component: lazyRouteComponent(() => arrived(() => import('../failures/failure-page.js')), 'FailurePage'),
  }),
  createRoute({
    ...page('/batches'),
    component: lazyRouteComponent(() => arrived(() => import('../batches/batches-page.js')), 'BatchesPage'),
  }),
  createRoute({
    ...page('/batches/$id'),
    component: lazyRouteComponent(() => arrived(() => import('../batches/batch-page.js')), 'BatchPage'),
  }),
  createRoute({
    ...page('/batches/$id/graph'),
    component: lazyRouteComponent(() => arrived(() => import('../graph/graph-page.js')), 'BatchGraphPage'),
  }),
  createRoute({
    ...page('/operations'),
    component: lazyRouteComponent(() => arrived(() => import('../operations/operations-page.js')), 'OperationsPage'),
  }),
  createRoute({
    ...page('/operations/$id'),
    component: lazyRouteComponent(() => arrived(() => import('../operations/operation-page.js')), 'OperationPage'),
  }),
  createRoute({
    ...page('/activity'),
    component: lazyRouteComponent(() => arrived(() => import('../activity/activity-page.js')), 'ActivityPage'),
    validateSearch: (search: Record<string, unknown>): { actor?: string; queue?: string; since?: string } => ({
      actor: textIn(search, 'actor'),
      queue: textIn(search, 'queue'),
      since: textIn(search, 'since'),
    }),
  }),
  createRoute({
    ...page('/triggers'),
    component: lazyRouteComponent(() => arrived(() => import('../triggers/triggers-page.js')), 'TriggersPage'),
  }),
  createRoute({
    ...page('/triggers/$trigger'),
    component: lazyRouteComponent(() => arrived(() => import('../triggers/trigger-page.js')), 'TriggerPage'),
  }),
  createRoute({
    ...page('/holds'),
    component: lazyRouteComponent(() => arrived(() => import('../holds/holds-page.js')), 'HoldsPage'),
  }),
  createRoute({
    ...page('/workers'),
    component: lazyRouteComponent(() => arrived(() => import('../workers/workers-page.js')), 'WorkersPage'),
  }),
  createRoute({
    ...page('/system'),
    component: lazyRouteComponent(() => arrived(() => import('../system/system-page.js')), 'SystemPage'),
    validateSearch: (search: Record<string, unknown>): { tab?: string } => ({ tab: textIn(search, 'tab') }),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  history: createHashHistory(),
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
