import { useActivity } from '../activity/activity.queries.js';
import { useLive } from '../app/live.js';
import { type Part, RANGES, type Range } from './ranges.js';

export const useQueue = (name: string) => useLive(['queue', name], (waybill) => waybill.queue(name).get());

export const useQueueStats = (name: string) => useLive(['queue stats', name], (waybill) => waybill.queue(name).stats());

/** Of a range up to now, or of a part of it. */
export const useFigures = (name: string, range: Range, part: Part | null) =>
  useLive(['queue history', name, range, part], (waybill) =>
    waybill.queue(name).figures(part ? { from: part.since, to: part.until } : { from: RANGES[range] }),
  );

/** What people did to the queue within the range: the marks of its charts, the oldest first. */
export const useQueueActivity = (name: string, range: Range) =>
  useActivity({ queue: name, since: RANGES[range] }, MOST_MARKS)
    .data?.items.filter(({ category }) => category === 'queue' || category === 'build')
    .toReversed() ?? [];

const MOST_MARKS = 100;

/** The search for the erasures that a queue's `expireDays` ordered. */
export const expiriesOf = (queue: string): string =>
  `queue:waybill.erasures label.waybill.expires:${JSON.stringify(queue)}`;

/** The one of them that succeeded last; null if none has. */
export const useLastExpiry = (queue: string) =>
  useLive(
    ['last expiry', queue],
    async (waybill) => {
      const q = `${expiriesOf(queue)} state:succeeded`;
      const [found] = (await waybill.tasks.page({ q }, { limit: 1 })).items;
      return found ? waybill.task(found.id).get() : null;
    },
    { onlyPresent: true },
  );
