import { keepPreviousData, QueryCache, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Waybill } from '@waybill/client';
import { useMoment } from '../time/moment.js';
import { LOOKS } from './pace.js';
import { answered, isForGood, refused } from './reach.js';
import { service } from './service.js';

export const queries = new QueryClient({
  queryCache: new QueryCache({ onSuccess: answered, onError: refused }),
  defaultOptions: {
    queries: {
      retry: (times, error) => times < 2 && !isForGood(error),
      staleTime: 1_000,
      // A browser without a network is told so by the page, and may have the service beside it.
      networkMode: 'always',
      placeholderData: keepPreviousData,
      refetchOnWindowFocus: true,
    },
  },
});

interface LiveOptions {
  /** Of what the service knows no past: it is not asked for then. */
  readonly onlyPresent?: boolean;
  readonly isOnce?: boolean;
  /** False while nobody may ask. */
  readonly isAsked?: boolean;
}

/**
 * Reads something of the service: now and again while it is shown (`isOnce`: once), or once as of the moment that the page stands at. `before`: what
 * it read last.
 */
export function useLive<T>(
  what: readonly unknown[],
  read: (waybill: Waybill, isPast: boolean, before: T | undefined) => Promise<T>,
  { onlyPresent = false, isOnce = false, isAsked = true }: LiveOptions = {},
): UseQueryResult<T> {
  const moment = useMoment();
  return useQuery({
    queryKey: [moment ?? 'now', ...what],
    queryFn: ({ client, queryKey }) => read(service(moment), moment !== undefined, client.getQueryData<T>(queryKey)),
    placeholderData: keptAt(moment),
    enabled: isAsked && (moment === undefined || !onlyPresent),
    meta: { pace: moment !== undefined || isOnce ? undefined : LOOKS },
  });
}

/** What was shown before stays until the next answer, unless the page comes from the past to now, or goes there: it would say the wrong moment. */
const keptAt =
  (moment: string | undefined) =>
  <T>(before: T | undefined, query?: { readonly queryKey: readonly unknown[] }): T | undefined =>
    (query?.queryKey[0] === 'now') === (moment === undefined) ? before : undefined;

/** Asks for everything shown anew, because a command may have changed it. */
export const refresh = (): void => void queries.invalidateQueries();

/** The first items of a sequence. */
export async function firstOf<T>(items: AsyncIterable<T>, most: number): Promise<T[]> {
  const found: T[] = [];
  if (most === 0) return found;
  for await (const item of items) {
    found.push(item);
    if (found.length === most) break;
  }
  return found;
}
