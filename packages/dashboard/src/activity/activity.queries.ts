import type { ActivityPage } from '@waybill/client';
import { useLive } from '../app/live.js';
import { service } from '../app/service.js';
import { useMoment } from '../time/moment.js';
import { rangeBefore } from '../time/range-before.js';
import { isPosition } from '../time/stops.js';
import { useMomentMs } from '../time/time.queries.js';

/** What the page is asked for, as its address has it. */
export interface ActivityFilter {
  readonly actor?: string;
  readonly queue?: string;
  readonly since?: string;
}

export const MOST_ACTIVITY = 100;

/** What people did, the newest first; up to the moment that the page stands at, which is a part of the log, too. */
export function useActivity({ actor, queue, since = '24h' }: ActivityFilter, most = MOST_ACTIVITY) {
  const [atMs, moment] = [useMomentMs(), useMoment()];
  const range = atMs === null ? { since } : rangeBefore(since, atMs);
  return useLive(
    ['activity', actor ?? '', queue ?? '', since, atMs, most],
    async () => {
      const page = await service(undefined).activityPage({ actor, queue, ...range, limit: most });
      return moment !== undefined && isPosition(moment) ? upTo(BigInt(moment), page) : page;
    },
    { isAsked: moment === undefined || atMs !== null },
  );
}

/** Events of one millisecond may lie on both sides of a position. */
const upTo = (position: bigint, { items, ...page }: ActivityPage): ActivityPage => ({
  ...page,
  items: items.filter((item) => BigInt(item.position) <= position),
});
