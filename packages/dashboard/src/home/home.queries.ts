import { useOpenGroups } from '../failures/failures.queries.js';
import { useQueueRows } from '../queues/queues.queries.js';
import { useProjections, useSystem } from '../system/system.queries.js';
import type { Health } from './incident.js';

/**
 * All that tells whether something is wrong, which other parts of the page show as well. What cannot be read is null, such as what
 * no past is known of, and the rest is shown; `health` is null until each was read or refused.
 */
export function useHealth(): { readonly health: Health | null; readonly error: Error | null } {
  const [groups, rows, system, projections] = [useOpenGroups(), useQueueRows(), useSystem(), useProjections()];
  const isWaiting = [groups, rows, system, projections].some(({ isLoading }) => isLoading);
  const stats = rows.data?.flatMap((row) => row.stats ?? []);
  const health: Health = {
    groups: groups.data ?? null,
    queues: rows.data?.map(({ view }) => view) ?? null,
    stats: stats && (stats.length > 0 || rows.data?.length === 0) ? stats : null,
    system: system.data ?? null,
    projections: projections.data ?? null,
  };
  const isKnown = Object.values(health).some((part) => part !== null);
  return { health: isWaiting || !isKnown ? null : health, error: isKnown ? null : rows.error };
}
