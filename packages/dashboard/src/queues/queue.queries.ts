import { useActivity } from '../activity/activity.queries.js';
import { useLive } from '../app/live.js';
import { RANGES, type Range } from './ranges.js';

export const useQueue = (name: string) => useLive(['queue', name], (waybill) => waybill.queue(name).get());

export const useQueueStats = (name: string) => useLive(['queue stats', name], (waybill) => waybill.queue(name).stats());

export const useFigures = (name: string, range: Range) =>
  useLive(['queue history', name, range], (waybill) => waybill.queue(name).figures({ from: RANGES[range] }));

/** What people did to the queue within the range: the marks of its charts. */
export const useQueueActivity = (name: string, range: Range) =>
  useActivity({ queue: name, since: RANGES[range] }, MOST_MARKS).data?.items.filter(
    ({ category }) => category === 'queue' || category === 'build',
  ) ?? [];

const MOST_MARKS = 100;
