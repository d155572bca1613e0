import type { FailureGroupSummary } from '@waybill/client';
import { firstOf, useLive } from '../app/live.js';

/** As many groups as a page of them has. */
export const MOST_GROUPS = 100;

/** The open groups, the latest first. */
export const useOpenGroups = () => useGroups('open');

export const useGroups = (state: FailureGroupSummary['state'] | undefined, queue?: string) =>
  useLive(
    ['failure groups', state ?? 'any', queue ?? ''],
    (waybill) => firstOf(waybill.failures.list({ state, queue, limit: MOST_GROUPS }), MOST_GROUPS),
    { onlyPresent: true },
  );

export const useGroup = (group: string) => useLive(['failure group', group], (waybill) => waybill.failures.get(group));

/** The tasks that failed like that last. */
export const useExamples = (group: string, most: number) =>
  useLive(['failed in', group], (waybill) =>
    firstOf(waybill.tasks.list({ group, state: 'failed' }, { limit: most }), most),
  );

/** The newest operation for the group; null if there is none among the newest. */
export const useLastOperation = (group: string) =>
  useLive(['operation of', group], async (waybill) => {
    const newest = await firstOf(waybill.operations({ limit: MOST_OPERATIONS }), MOST_OPERATIONS);
    const found = newest.find(({ order }) => isFor(order, group));
    return found ? waybill.operation(found.id) : null;
  });

const MOST_OPERATIONS = 50;

const isFor = (order: unknown, group: string): boolean =>
  (order as { filter?: { group?: string } } | null)?.filter?.group === group;
