import type { Waybill } from '@waybill/client';
import { firstOf, useLive } from '../app/live.js';
import { MOST_GROUPS } from '../failures/failures.queries.js';
import type { Health } from './incident.js';

const MOST_QUEUES = 500;

/** All that tells whether something is wrong. What cannot be read is null, such as what no past is known of, and the rest is shown. */
export const useHealth = () => useLive(['health'], readHealth);

async function readHealth(waybill: Waybill, isPast: boolean): Promise<Health> {
  const own = { internal: false, limit: MOST_QUEUES };
  const [groups, queues, stats, system, projections] = await Promise.allSettled([
    isPast ? null : firstOf(waybill.failures.list({ state: 'open', limit: MOST_GROUPS }), MOST_GROUPS),
    firstOf(waybill.queues(own), MOST_QUEUES),
    firstOf(waybill.queueStats(own), MOST_QUEUES),
    isPast ? null : waybill.system.get(),
    isPast ? null : waybill.projections(),
  ]);
  const known = [groups, queues, stats, system, projections].some(({ status }) => status === 'fulfilled');
  if (!known) throw (groups as PromiseRejectedResult).reason;
  return { groups: of(groups), queues: of(queues), stats: of(stats), system: of(system), projections: of(projections) };
}

const of = <T>(settled: PromiseSettledResult<T>): T | null => (settled.status === 'fulfilled' ? settled.value : null);
