import type { FailureGroupSummary, Waybill } from '@waybill/client';
import { firstOf, useLive } from '../app/live.js';
import { useReadable } from '../app/me.js';

/** As many groups as a page of them has. */
export const MOST_GROUPS = 100;

/** The open groups, the latest first. */
export const useOpenGroups = () => useGroups('open');

/** Of one queue, or of all that the person may read. */
export function useGroups(state: FailureGroupSummary['state'] | undefined, queue?: string) {
  const readable = useReadable();
  const queues = queue ? [queue] : (readable ?? [undefined]);
  return useLive(['failure groups', state ?? 'any', ...queues], (waybill) => groupsIn(waybill, queues, state));
}

/** The latest groups of the queues; undefined: of all. */
export async function groupsIn(
  waybill: Waybill,
  queues: readonly (string | undefined)[],
  state?: FailureGroupSummary['state'],
): Promise<FailureGroupSummary[]> {
  const asked = queues.map((queue) => waybill.failures.list({ state, queue, limit: MOST_GROUPS }));
  const groups = (await Promise.all(asked.map((list) => firstOf(list, MOST_GROUPS)))).flat();
  return queues.length === 1 ? groups : latest(groups);
}

/** A group of several queues is one. */
const latest = (groups: readonly FailureGroupSummary[]): FailureGroupSummary[] =>
  [...new Map(groups.map((group) => [group.id, group])).values()]
    .sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt))
    .slice(0, MOST_GROUPS);

/** As far as the person may read it: in all queues, or in the first of some that it is in. */
export function useGroup(group: string) {
  const queues = useReadable() ?? [undefined];
  return useLive(['failure group', group, ...queues], (waybill) =>
    firstAnswer(queues.map((queue) => () => waybill.failures.get(group, { queue }))),
  );
}

/** The first answer that is none of a refusal; the last refusal if there is none. */
async function firstAnswer<T>([ask, ...rest]: readonly (() => Promise<T>)[]): Promise<T> {
  try {
    return await ask!();
  } catch (refusal) {
    if (rest.length === 0) throw refusal;
    return firstAnswer(rest);
  }
}

/** The tasks that failed like that last. */
export function useExamples(group: string, most: number) {
  const queues = useReadable();
  const q = [...(queues ? [`queue:${queues.join(',')}`] : []), `group:${group}`, 'state:failed'].join(' ');
  return useLive(['failed in', group, q], (waybill) => firstOf(waybill.tasks.list({ q }, { limit: most }), most));
}

/** The newest operation for the group; null if there is none among the newest. */
export const useLastOperation = (group: string) =>
  useLive(
    ['operation of', group],
    async (waybill) => {
      const newest = await firstOf(waybill.operations({ limit: MOST_OPERATIONS }), MOST_OPERATIONS);
      const found = newest.find(({ order }) => isFor(order, group));
      return found ? waybill.operation(found.id) : null;
    },
    { onlyPresent: true },
  );

const MOST_OPERATIONS = 50;

const isFor = (order: unknown, group: string): boolean =>
  (order as { filter?: { group?: string } } | null)?.filter?.group === group;
