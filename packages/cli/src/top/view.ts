import type { FailureGroupSummary, QueueStats, SystemView, Waybill } from '@waybill/client';
import { first } from '../arguments.js';

const MOST_QUEUES = 500;
const MOST_GROUPS = 5;

/** What `waybill top` shows, as the service says it at one time. */
export interface TopView {
  readonly at: number;
  readonly queues: readonly QueueStats[];
  /** Open ones, the latest first. */
  readonly groups: readonly FailureGroupSummary[];
  readonly system: SystemView;
}

export async function topView(waybill: Waybill): Promise<TopView> {
  const [queues, groups, system] = await Promise.all([
    first(waybill.queueStats({ internal: false, limit: MOST_QUEUES }), MOST_QUEUES),
    first(waybill.failures.list({ state: 'open', order: 'latest' }), MOST_GROUPS),
    waybill.system.get(),
  ]);
  return { at: Date.now(), queues: queues.items, groups: groups.items, system };
}
