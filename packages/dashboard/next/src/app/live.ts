import { WaybillError } from '@waybill/client';
import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Waybill } from '@waybill/client';
import { useMoment } from '../time/moment.js';
import { service } from './service.js';

/** How often a page that people look at asks again. */
const LOOK_MS = 3_000;

/** Whether the service would give the same answer to every repetition of the request. */
const isForGood = (error: unknown): boolean =>
  error instanceof WaybillError && [400, 401, 403, 404].includes(error.status);

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (times, error) => times < 2 && !isForGood(error),
      staleTime: 1_000,
      placeholderData: keepPreviousData,
      refetchOnWindowFocus: true,
    },
  },
});

/** Reads something of the service: now and again while it is shown, or once as of the moment that the page stands at. What the service knows of no past
 * (`onlyPresent`) is not asked for then. */
export function useLive<T>(
  what: readonly unknown[],
  read: (waybill: Waybill, isPast: boolean) => Promise<T>,
  { onlyPresent = false }: { readonly onlyPresent?: boolean } = {},
): UseQueryResult<T> {
  const moment = useMoment();
  return useQuery({
    queryKey: [moment ?? 'now', ...what],
    queryFn: () => read(service(moment), moment !== undefined),
    enabled: moment === undefined || !onlyPresent,
    refetchInterval: ({ state }) => (moment !== undefined || isForGood(state.error) ? false : LOOK_MS),
  });
}

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
