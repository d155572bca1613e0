/** A page, and what it is about: kept in the part of the address behind `#`, so that every view can be sent to somebody. */
export type Route =
  | { readonly page: 'queues' }
  | { readonly page: 'queue'; readonly queue: string }
  | { readonly page: 'tasks'; readonly filter: Filter }
  | { readonly page: 'task'; readonly id: string }
  | { readonly page: 'system' };

/** As it is typed: what is empty matches everything. */
export type Filter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

export const FILTERS = ['queue', 'state', 'key', 'reference', 'kind', 'label', 'worker'] as const;

/** What leads nowhere leads to the queues. */
export function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page, of = ''] = path.split('/').map(decoded);
  if (page === 'queues' && of) return { page: 'queue', queue: of };
  if (page === 'tasks' && of) return { page: 'task', id: of };
  if (page === 'tasks') return { page: 'tasks', filter: filterOf(new URLSearchParams(search)) };
  return page === 'system' ? { page } : { page: 'queues' };
}

/** Nothing where it is no text. */
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
      return `#/queues/${encodeURIComponent(route.queue)}`;
    case 'tasks':
      return `#/tasks${searchOf(route.filter)}`;
    case 'task':
      return `#/tasks/${encodeURIComponent(route.id)}`;
    case 'system':
      return '#/system';
  }
}

/** What a tab, a bookmark and a screen reader call the page. */
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
    case 'system':
      return 'Workers and read models – Waybill';
  }
}

const filterOf = (search: URLSearchParams): Filter =>
  Object.fromEntries(FILTERS.flatMap((name) => (search.get(name) ? [[name, search.get(name)!]] : [])));

function searchOf(filter: Filter): string {
  const search = new URLSearchParams(FILTERS.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])));
  return search.size > 0 ? `?${search.toString()}` : '';
}
