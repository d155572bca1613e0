import type { ChangeNotice } from '@waybill/client';
import { isConcerned } from './concerned.js';
import { queries } from './live.js';
import { heard, isFed, unheard } from './heard.js';
import { followTogether, type Told } from './shared-feed.js';

/** A page shows what changed at most this often, however much does. */
const PACE_MS = 3_000;

/** A page that nobody looks at leaves the feed to others after this time. */
const HIDDEN_MS = 5_000;

let pending: ChangeNotice[] = [];
/** What a page asks for as it opens is not asked for anew at once. */
let shownAt = 0;

/** Follows what changes for as long as somebody looks at the page, and asks anew for what is shown of it. */
export function followChanges(): void {
  let looked: AbortController | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(hidden);
    if (document.visibilityState === 'hidden') hidden = setTimeout(leave, HIDDEN_MS);
    else if (!looked) void followTogether(hear, (looked = new AbortController()).signal);
  };
  const leave = (): void => {
    looked?.abort();
    looked = undefined;
    unheard();
  };
  document.addEventListener('visibilitychange', look);
  look();
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

function hear({ notice }: Told): void {
  const begins = !isFed();
  heard();
  if (begins) note(BEFORE);
  if (notice) note(notice);
}

function note(notice: ChangeNotice): void {
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
