import type { MeView } from '@waybill/client';
import { useQuery } from '@tanstack/react-query';
import { actor } from './identity.js';
import { queries } from './live.js';
import { allows, type Need } from './may.js';
import { every } from './pace.js';
import { PAGES, type PageLink } from './pages.js';
import { useReach } from './reach.js';
import { service } from './service.js';

/** A key is seldom given more or less. The service refuses what it may no longer do. */
const ASK_MS = 60_000;

const whoAmI = () => ({
  queryKey: ['me', actor.get()],
  queryFn: () => service(undefined).me(),
  staleTime: ASK_MS,
  meta: { pace: every(ASK_MS) },
});

/** Asks while the first page is loaded, because it waits for the answer. */
export const askWhoActs = (): void => void queries.prefetchQuery(whoAmI());

/** Who acts; undefined until the service has said so. */
export const useMe = (): MeView | undefined => useQuery(whoAmI()).data;

/** Whether the service has said who acts, or cannot: pages ask for what the person may read, and so do not ask before. */
export const useIsKnown = (): boolean => !useQuery(whoAmI()).isPending;

/** Tells what the person may do; nothing until that is known. */
export function useMay(): (need: Need) => boolean {
  const me = useMe();
  return (need) => me !== undefined && allows(me, need);
}

/** The queues that the person may read, if not all. */
export const useReadable = (): readonly string[] | null => useMe()?.queues ?? null;

/** The pages that the person may read: those of all queues, or of some; none until that is known. */
export function useOpenPages(): readonly PageLink[] {
  const queues = useReadable();
  const isKnown = useIsKnown();
  const needsKey = useReach().kind === 'needs-key';
  if (!isKnown || needsKey) return [];
  return queues === null ? PAGES : (PAGES as readonly PageLink[]).filter(({ isOfSome }) => isOfSome);
}
