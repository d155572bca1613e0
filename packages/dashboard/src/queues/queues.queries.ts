import type { QueueStats, QueueView, Waybill } from '@waybill/client';
import { useQueries } from '@tanstack/react-query';
import { service } from '../app/service.js';
import { isFed } from '../app/heard.js';
import { firstOf, queries, useLive } from '../app/live.js';
import { useMay, useReadable } from '../app/me.js';
import { every } from '../app/pace.js';
import { useMoment } from '../time/moment.js';
import type { Figures } from './figures.js';

/** The most queues that a page shows. */
export const MOST_QUEUES = 500;

/** A queue with its figures; null where the service does not know them. */
export interface QueueRow {
  readonly view: QueueView;
  readonly stats: QueueStats | null;
}

/** The queues that the person may read. Those that need somebody come first, then those that do most. */
export function useQueueRows() {
  const names = useReadable();
  return useLive(['queues', names ?? 'all'], async (waybill, isPast) => {
    const rows = await (names ? rowsNamed(waybill, names) : rowsOf(waybill, false, isPast));
    return rows.sort((a, b) => weightOf(b) - weightOf(a) || a.view.name.localeCompare(b.view.name));
  });
}

/** Those of a key for some queues, of which there may be fewer than it names. */
async function rowsNamed(waybill: Waybill, names: readonly string[]): Promise<QueueRow[]> {
  const asked = names.slice(0, MOST_QUEUES).map(async (name) => {
    const [view, stats] = await Promise.all([waybill.queue(name).get(), waybill.queue(name).stats().catch(unknown)]);
    return { view, stats };
  });
  return (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

const unknown = (): null => null;

/** Of the service itself, or of the others, which must not lose their room to those. */
async function rowsOf(waybill: Waybill, internal: boolean, isPast: boolean): Promise<QueueRow[]> {
  const some = { internal, limit: MOST_QUEUES };
  const [views, stats] = await Promise.all([
    isPast ? viewsOf(waybill, internal) : keptViews(waybill, internal),
    firstOf(waybill.queueStats(some), MOST_QUEUES).catch(unknown),
  ]);
  const byName = new Map(stats?.map((one) => [one.queue, one]));
  return views.map((view) => ({ view, stats: byName.get(view.name) ?? null }));
}

const viewsOf = (waybill: Waybill, internal: boolean): Promise<QueueView[]> =>
  firstOf(waybill.queues({ internal, limit: MOST_QUEUES }), MOST_QUEUES);

/** Only events change a queue: while they are told, the views are good until one is, and the clock asks for the figures alone. */
const keptViews = (waybill: Waybill, internal: boolean): Promise<QueueView[]> =>
  queries.fetchQuery({
    queryKey: ['now', 'queue views', internal],
    queryFn: () => viewsOf(waybill, internal),
    staleTime: isFed() ? Infinity : 0,
    retry: false,
  });

/** The queues of the service itself. */
export const useInternalRows = () =>
  useLive(['internal queues'], (waybill, isPast) => rowsOf(waybill, true, isPast), {
    onlyPresent: true,
    isAsked: useMay()({ permission: 'read' }),
  });

const weightOf = ({ view, stats }: QueueRow): number =>
  (stats?.unattended ? 4e15 : 0) +
  (view.state === 'active' ? 0 : 2e15) +
  tasksOf(stats, 'failed') * 1e8 +
  doneBy(stats);

const tasksOf = (stats: QueueRow['stats'], state: keyof QueueStats['counts']): number => stats?.counts[state] ?? 0;

/** How much a queue has done and will do, up to what a failed task weighs. */
const doneBy = (stats: QueueRow['stats']): number =>
  Math.min(1e8 - 1, tasksOf(stats, 'pending') + tasksOf(stats, 'running') + tasksOf(stats, 'succeeded'));

/** How long the courses of the list go back, and how often they are asked for. */
const COURSE = '1h';
const COURSE_EVERY_MS = 120_000;

/** The last hour of each of these queues, by name. */
export function useCourses(names: readonly string[]): ReadonlyMap<string, Figures> {
  const moment = useMoment();
  return useQueries({
    queries: names.map((name) => ({
      queryKey: [moment ?? 'now', 'course', name],
      queryFn: () => service(moment).queue(name).figures({ from: COURSE }),
      meta: { pace: moment === undefined ? every(COURSE_EVERY_MS) : undefined },
      retry: false,
    })),
    combine: (results) => new Map(results.flatMap(({ data }, at) => (data ? [[names[at]!, data] as const] : []))),
  });
}
