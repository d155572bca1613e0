import { type StoreIdentity, storeIdentity } from './infrastructure/event-store/eventstoredb/store-identity.js';
import { isOutOfReach } from './infrastructure/event-store/eventstoredb/trouble.js';
import { pause } from './infrastructure/projection-engine/backoff.js';
import { masked } from './infrastructure/telemetry/masked.js';
import { StartupError } from './startup-error.js';

export { holdsEvents } from './infrastructure/event-store/eventstoredb/store-identity.js';

/** A server that nobody listens for is told at once; one that starts is waited for. */
const ANSWER_MS = 2_000;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/** The identity of the store at `url`. Throws `StartupError` where it is not there, or does not serve in time. */
export async function reach(url: string, prefix: string, log: (line: string) => void): Promise<StoreIdentity> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await storeIdentity(url, prefix, ANSWER_MS);
    } catch (error) {
      const { message } = error as Error;
      if (!isOutOfReach(error)) throw trouble(url, `the store says: ${message}`, error);
      if (!isStarting(message) || performance.now() > until) throw trouble(url, whyAway(message), error);
      log(`The event store at '${masked(url)}' is not ready yet (${message}); trying again`);
      await pause(PAUSE_MS, new AbortController().signal);
    }
  }
}

/** It is there, and cannot serve yet. */
const isStarting = (message: string): boolean => /not ready|no leader|too busy|not leader/i.test(message);

const whyAway = (message: string): string =>
  /No connection established|ECONNREFUSED|ENOTFOUND|Name resolution|Failed to discover/i.test(message)
    ? 'nothing answers there'
    : 'it does not answer in time';

const trouble = (url: string, reason: string, cause: unknown): StartupError =>
  new StartupError(
    `Expected to use the event store at '${masked(url)}', but ${reason}; set EVENT_STORE_URL to an EventStoreDB that this process may use.`,
    { cause },
  );
