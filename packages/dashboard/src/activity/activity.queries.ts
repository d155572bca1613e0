import type { ActivityPage } from '@waybill/client';
import { serviceNow } from '../app/clock.js';
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
  return useLive<ActivityPage>(
    ['activity', actor ?? '', queue ?? '', since, atMs, most],
    async (_, isPast, before) => {
      const ask = (limit: number) => service(undefined).activityPage({ actor, queue, ...range, limit });
      if (!isPast && before && isNewest(before, await ask(1))) return within(since, before);
      const page = await ask(most);
      return moment !== undefined && isPosition(moment) ? upTo(BigInt(moment), page) : page;
    },
    { isAsked: moment === undefined || atMs !== null },
  );
}

/** What was ordered never changes: as long as nothing newer was, one line says so in place of a hundred. */
const isNewest = ({ items: [known] }: ActivityPage, { items: [newest] }: ActivityPage): boolean =>
  newest?.position === known?.position;

/** Without what has become older than the range since it was read. */
function within(since: string, { items, ...page }: ActivityPage): ActivityPage {
  const begin = Date.parse(rangeBefore(since, serviceNow()).since);
  return { ...page, items: items.filter(({ at }) => !(Date.parse(at) < begin)) };
}

/** Events of one millisecond may lie on both sides of a position. */
const upTo = (position: bigint, { items, ...page }: ActivityPage): ActivityPage => ({
  ...page,
  items: items.filter((item) => BigInt(item.position) <= position),
});
