import { WaybillError } from '@waybill/client';
import { useCallback, useEffect, useState } from 'preact/hooks';

const LOOK_MS = 2_000;

export interface Live<T> {
  /** Null before the first answer. */
  readonly data: T | null;
  /** Why the last request failed. The data is older then. */
  readonly error: unknown;
  /** Loads again at once. */
  readonly refresh: () => void;
}

/**
 * The result of `load`, loaded again every two seconds while the page is visible and `isLive`. `what` identifies the
 * data: if it changes, the old data is dropped.
 */
export function useLive<T>(what: string, load: (signal: AbortSignal) => Promise<T>, isLive: boolean): Live<T> {
  const [seen, setSeen] = useState<{ what: string; data: T | null; error: unknown }>({ what, data: null, error: null });
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const isSeen = document.visibilityState === 'visible';
      const goesOn = !isSeen || (await keep(load, what, gone.signal, setSeen));
      if (!gone.signal.aborted && isLive && goesOn) timer = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [what, isLive, looks]);
  const refresh = useCallback(() => setLooks((count) => count + 1), []);
  const { data, error } = seen.what === what ? seen : { data: null, error: null };
  return { data, error, refresh };
}

type Keep<T> = (
  change: (before: { what: string; data: T | null }) => { what: string; data: T | null; error: unknown },
) => void;

/** Returns whether another look may say more. */
async function keep<T>(
  load: (signal: AbortSignal) => Promise<T>,
  what: string,
  gone: AbortSignal,
  set: Keep<T>,
): Promise<boolean> {
  try {
    const data = await load(gone);
    if (!gone.aborted) set(() => ({ what, data, error: null }));
    return true;
  } catch (error) {
    if (!gone.aborted) set((before) => ({ what, data: before.what === what ? before.data : null, error }));
    return !isForGood(error);
  }
}

/** Whether the service would give the same answer to every repetition of the request. */
export const isForGood = (error: unknown): boolean => error instanceof WaybillError && FOR_GOOD.includes(error.status);

const FOR_GOOD: readonly number[] = [400, 401, 403, 404];
