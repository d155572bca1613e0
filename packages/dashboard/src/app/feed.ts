import type { ChangeNotice } from '@waybill/client';
import { isConcerned } from './concerned.js';
import { queries } from './live.js';
import { heard, isFed } from './heard.js';
import { service } from './service.js';

/** A page shows what changed at most this often, however much does. */
const PACE_MS = 3_000;

/** A page that nobody looks at gives its connection up after this time: a browser has six of HTTP/1.1 for all its tabs. */
const HIDDEN_MS = 5_000;

/** When to try again after the service has refused the feed, such as without a key. */
const AGAIN_MS = 10_000;

let pending: ChangeNotice[] = [];
/** What a page asks for as it opens is not asked for anew at once. */
let shownAt = 0;

/** Follows what changes for as long as somebody looks at the page, and asks anew for what is shown of it. */
export function followChanges(): void {
  let looked = new AbortController();
  let hidden: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hidden);
    if (document.visibilityState === 'hidden') hidden = setTimeout(() => looked.abort(), HIDDEN_MS);
    else if (looked.signal.aborted) void follow((looked = new AbortController()).signal);
  });
  void follow(looked.signal);
}

async function follow(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const notice of service(undefined).followChanges({ signal, onPosition: listen })) note(notice);
    } catch {
      // Until then the pages ask by themselves.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** Where the service begins to tell what changes, whatever was read before may have changed without a word. */
const BEFORE: ChangeNotice = {
  position: '0',
  type: 'Changed',
  everything: true,
  queues: null,
  tasks: null,
  others: null,
};

function listen(): void {
  const begins = !isFed();
  heard();
  if (begins) note(BEFORE);
}

function note(notice: ChangeNotice): void {
  heard();
  if (pending.push(notice) > 1) return;
  setTimeout(show, Math.max(0, shownAt + PACE_MS - performance.now()));
}

function show(): void {
  const notices = pending;
  [pending, shownAt] = [[], performance.now()];
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => notices.some((notice) => isConcerned(queryKey, notice)),
  });
}
