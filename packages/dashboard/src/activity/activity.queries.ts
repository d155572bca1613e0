import { useLive } from '../app/live.js';

/** What the page is asked for, as its address has it. */
export interface ActivityFilter {
  readonly actor?: string;
  readonly queue?: string;
  readonly since?: string;
}

export const MOST_ACTIVITY = 100;

/** What people did, the newest first. */
export const useActivity = ({ actor, queue, since = '24h' }: ActivityFilter) =>
  useLive(['activity', actor ?? '', queue ?? '', since], (waybill) =>
    waybill.activityPage({ actor, queue, since, limit: MOST_ACTIVITY }),
  );
