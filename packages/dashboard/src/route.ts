import { DEFAULT_RANGE, type RangeName, rangeIn } from './ranges.js';

/** A page and its subject. It is kept in the fragment of the URL, so that people can share a link to any view. */
export type Route =
  | { readonly page: 'queues' }
  | { readonly page: 'queue'; readonly queue: string; readonly range?: RangeName }
  | { readonly page: 'tasks'; readonly filter: Filter }
  | { readonly page: 'task'; readonly id: string }
  | { readonly page: 'task-graph'; readonly id: string }
  | { readonly page: 'batches' }
  | { readonly page: 'batch'; readonly id: string }
  | { readonly page: 'batch-graph'; readonly id: string }
  | { readonly page: 'triggers' }
  | { readonly page: 'system' };

/** The filter as entered. An empty field matches everything. */
export type Filter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

export const FILTERS = [
  'queue',
  'state',
  'key',
  'reference',
  'kind',
  'label',
  'worker',
  'step',
  'batch',
  'overdue',
  'sort',
] as const;

/** An unknown path leads to the list of queues. */
export function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page, of = '', part] = path.split('/').map(decoded);
  if (page === 'queues' && of) return { page: 'queue', queue: of, ...rangeIn(new URLSearchParams(search)) };
  if (page === 'tasks' && of) return { page: part === 'graph' ? 'task-graph' : 'task', id: of };
  if (page === 'batches' && of) return { page: part === 'graph' ? 'batch-graph' : 'batch', id: of };
  if (page === 'batches' || page === 'triggers') return { page };
  if (page === 'tasks') return { page: 'tasks', filter: filterOf(new URLSearchParams(search)) };
  return page === 'system' ? { page } : { page: 'queues' };
}

/** Empty if the part is not valid text. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

export function hashOf(route: Route): string {
  switch (route.page) {
    case 'queues':
      return '#/queues';
    case 'queue':
      return `#/queues/${encodeURIComponent(route.queue)}${rangeOf(route)}`;
    case 'tasks':
      return `#/tasks${searchOf(route.filter)}`;
    case 'task':
      return `#/tasks/${encodeURIComponent(route.id)}`;
    case 'task-graph':
      return `#/tasks/${encodeURIComponent(route.id)}/graph`;
    case 'batches':
      return '#/batches';
    case 'batch':
      return `#/batches/${encodeURIComponent(route.id)}`;
    case 'batch-graph':
      return `#/batches/${encodeURIComponent(route.id)}/graph`;
    case 'triggers':
      return '#/triggers';
    case 'system':
      return '#/system';
  }
}

/** The default range is not named. */
const rangeOf = ({ range = DEFAULT_RANGE }: { readonly range?: RangeName }): string =>
  range === DEFAULT_RANGE ? '' : `?range=${range}`;

/** The title of the page for tabs, bookmarks and screen readers. */
export function titleOf(route: Route): string {
  switch (route.page) {
    case 'queues':
      return 'Queues – Waybill';
    case 'queue':
      return `Queue ${route.queue} – Waybill`;
    case 'tasks':
      return 'Tasks – Waybill';
    case 'task':
      return `Task ${route.id} – Waybill`;
    case 'task-graph':
      return `Graph of task ${route.id} – Waybill`;
    case 'batches':
      return 'Batches – Waybill';
    case 'batch':
      return `Batch ${route.id} – Waybill`;
    case 'batch-graph':
      return `Graph of batch ${route.id} – Waybill`;
    case 'triggers':
      return 'Triggers – Waybill';
    case 'system':
      return 'Workers and read models – Waybill';
  }
}

const filterOf = (search: URLSearchParams): Filter =>
  Object.fromEntries(FILTERS.flatMap((name) => (search.get(name) ? [[name, search.get(name)!]] : [])));

function searchOf(filter: Filter): string {
  const said = FILTERS.flatMap((name): [string, string][] => (filter[name] ? [[name, filter[name]]] : []));
  const search = new URLSearchParams(said);
  return search.size > 0 ? `?${search.toString()}` : '';
}
