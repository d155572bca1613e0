import type { ChangeNotice } from '@waybill/client';
import { isFed } from './heard.js';
import { apiKey } from './identity.js';
import { service, serviceUrl } from './service.js';

/** Where the feed is, and what changed there if anything did: what the tab that holds it tells the others. */
export interface Told {
  readonly position: string;
  readonly notice?: ChangeNotice;
}

/** What a tab asks the others as it begins to listen. */
const WHERE = 'where is the feed?';

/** When to try again after the service has refused the feed, such as without a key. */
const AGAIN_MS = 10_000;

/**
 * Hears what changes until the signal, by one stream of all tabs of this browser with the same key: one of them holds it and tells the
 * others, and another goes on where it was when that one closes. A browser without locks, as of a page of plain HTTP, has a stream a tab.
 */
export async function followTogether(hear: (told: Told) => void, signal: AbortSignal): Promise<void> {
  if (!('locks' in navigator)) return hold({ hear, signal });
  const name = await sharedName();
  if (signal.aborted) return;
  const tabs = new BroadcastChannel(name);
  let position: string | undefined;
  let isHolder = false;
  const note = (told: Told): void => {
    position = told.position;
    hear(told);
  };
  tabs.onmessage = ({ data }: MessageEvent<Told | typeof WHERE>) => {
    if (data !== WHERE) note(data);
    else if (isHolder && position !== undefined && isFed()) tabs.postMessage({ position });
  };
  tabs.postMessage(WHERE);
  const tell = (told: Told): void => {
    note(told);
    tabs.postMessage(told);
  };
  await turn(name, signal, () => {
    isHolder = true;
    return hold({ after: position, hear: tell, signal });
  });
  tabs.close();
}

/** The lock and the channel of those who hear the same: a key hears of its own queues. Others of the page's origin can list locks, so it is not named. */
async function sharedName(): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiKey.get() ?? ''));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return `waybill changes ${serviceUrl} ${hex.join('')}`;
}

/** Waits until no other tab holds the lock, and holds it while `act` goes on. Does nothing if the signal comes first. */
async function turn(name: string, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  try {
    await navigator.locks.request(name, { signal }, act);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

interface Holding {
  /** Where to begin; now if absent. */
  readonly after?: string | undefined;
  readonly hear: (told: Told) => void;
  readonly signal: AbortSignal;
}

async function hold({ after, hear, signal }: Holding): Promise<void> {
  const onPosition = (position: string): void => hear({ position });
  for (let from = after; !signal.aborted; from = undefined) {
    try {
      for await (const notice of service(undefined).followChanges({ after: from, signal, onPosition }))
        hear({ position: notice.position, notice });
    } catch {
      // Until then the pages ask by themselves.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
