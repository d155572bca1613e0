import type { Query } from '@tanstack/react-query';
import { isFed } from './heard.js';
import { queries } from './live.js';
import { dueOf, type Look } from './pace.js';
import { isForGood } from './reach.js';

/** At most three answers arrive in ten seconds: the largest of Home is 1.2 kB, and an idle page may receive 5. */
const STEP_MS = 3_500;

/** Asks for what is shown and changes by the clock: of a service that tells the rest, for one thing after the other. */
export function followClock(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') ask(dueOf(looks(), Date.now(), isFed()));
  }, STEP_MS);
}

interface LookOfQuery extends Look {
  readonly query: Query;
}

const looks = (): LookOfQuery[] =>
  queries
    .getQueryCache()
    .findAll({ type: 'active', fetchStatus: 'idle' })
    .flatMap((query) => {
      const { state, meta } = query;
      if (!meta?.pace || isForGood(state.error)) return [];
      return { query, pace: meta.pace, at: Math.max(state.dataUpdatedAt, state.errorUpdatedAt) };
    });

const ask = (due: readonly LookOfQuery[]): void =>
  void queries.refetchQueries({ predicate: (query) => due.some((look) => look.query === query) });
