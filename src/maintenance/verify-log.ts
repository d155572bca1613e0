import type { EventReads } from '../application/kernel/event-store.port.js';
import { type PayloadStore, PayloadStoreUnavailable } from '../application/kernel/payload-store.port.js';
import { ConfigError, type Environment, readConfig } from '../bootstrap/config.js';
import { openDatabase } from '../bootstrap/database.js';
import { type ExternalEventStore, openToIndex } from '../bootstrap/event-store.js';
import { BUILD } from '../bootstrap/functions.js';
import { payloadStoreOf } from '../bootstrap/payload-store.js';
import { StartupError } from '../bootstrap/startup-error.js';
import { parseVerifierKey } from '../domain/seals/note-key.js';
import { SealError } from '../domain/seals/seal-error.js';
import { DatabaseClock } from '../infrastructure/database/database-clock.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { halvesBy } from '../infrastructure/eventstoredb/log/halves/encrypted-halves.js';
import { EventStoreDbLeaves } from '../infrastructure/eventstoredb/log/eventstoredb-leaves.js';
import { EventStoreDbLog } from '../infrastructure/eventstoredb/log/eventstoredb-log.js';
import type { LogLeaves } from '../infrastructure/notary/log-leaves.port.js';
import { LogTree } from '../infrastructure/notary/log-tree.js';
import { sha256 } from '../infrastructure/notary/node-signing.js';
import { PostgresLeaves } from '../infrastructure/notary/postgres-leaves.js';
import { LocalWakeUps } from '../infrastructure/notify/local-wake-ups.js';
import { checkPayloads, type PayloadFinding } from '../infrastructure/payloads/payload-check.js';
import { witnessKey } from '../infrastructure/notary/cosigned.js';
import { PostgresEventStore } from '../infrastructure/postgres-event-store/postgres-event-store.js';
import { type KeptSeal, type LogFinding, LogVerification } from '../infrastructure/notary/verification.js';
import { verifyLeaves } from '../infrastructure/notary/verify-leaves.js';
import { keptSeals, type SealFile } from './kept-seals.js';
import { comparedSeal, stateIn, stateText, type VerifiedState } from './verified-state.js';

/** What `waybill verify` is given: a key as people hand it on, and seals that were kept. All are texts. */
export interface VerifyOptions {
  readonly key: string | null;
  readonly seals: readonly SealFile[];
  /** The keys of witnesses whose times are believed. */
  readonly witnesses: readonly string[];
  /** Whether to read the payloads outside the log, too. */
  readonly payloads?: boolean;
  /** What the run before left, to go on after that. Needs a key. */
  readonly state?: string | null;
  readonly onFinding: (finding: ToldFinding) => void;
}

export interface ToldFinding {
  readonly kind: LogFinding['kind'] | PayloadFinding['kind'];
  readonly position: string | null;
  readonly says: string;
}

/**
 * Runs `waybill verify` on the log of the environment. It changes nothing in the database, but gives an event store without a name its own.
 * `refused`: why the log cannot be looked at.
 */
export async function verifyLog(
  env: Environment,
  { key, seals, witnesses, payloads = false, state = null, onFinding }: VerifyOptions,
) {
  try {
    const given = key === null ? null : parseVerifierKey(key, sha256);
    const kept = keptSeals(seals, given, witnesses.map(witnessKey));
    const earlier = state === null ? null : stateIn(state, key ?? '');
    assertComparable(kept, earlier);
    let findings = 0;
    const find = ({ kind, position, says }: LogFinding | PayloadFinding): void => {
      findings++;
      onFinding({ kind, says, position: position === null ? null : String(position) });
    };
    const verification = new LogVerification(kept, find, earlier?.part ?? null);
    const store = payloads ? await reachedStore(env) : null;
    const [{ size, root }, read] = await onLog(env, async ({ leaves, tree, events }) => [
      await verifyLeaves(leaves, tree, verification),
      store && (await checkPayloads(events, store, find)),
    ]);
    const before = verification.said().findLast(({ next }) => next === given?.name) ?? null;
    const compared = [...new Set([...(earlier?.compared ?? []), ...kept.map(comparedSeal)])];
    const part = findings === 0 ? verification.verified : null;
    return {
      findings,
      size,
      root: Buffer.from(root).toString('base64'),
      seals: kept.length,
      payloads: read,
      before: before && { ...before, position: String(before.position) },
      nextKeys: kept.flatMap(({ nextKey }) => nextKey ?? []),
      since: earlier?.part.size ?? null,
      state: part && stateText({ part, compared }, key ?? ''),
    };
  } catch (error) {
    if ([StartupError, ConfigError, SealError, PayloadStoreUnavailable].some((known) => error instanceof known))
      return { refused: (error as Error).message };
    throw error;
  }
}

/** Throws SealError if a seal is of less than what was verified before, and was not compared then. */
function assertComparable(seals: readonly KeptSeal[], before: VerifiedState | null): void {
  if (before === null) return;
  const { part, compared } = before;
  const unknown = seals.find((seal) => seal.size < part.size && !compared.includes(comparedSeal(seal)));
  if (unknown) throw new SealError(`a seal of at least ${part.size} leaves, or without --state`, unknown.note);
}

/** Throws PayloadStoreUnavailable. */
async function reachedStore(env: Environment): Promise<PayloadStore> {
  const store = payloadStoreOf(readConfig(env));
  if (store === null)
    throw new PayloadStoreUnavailable('Expected WAYBILL_PAYLOAD_STORE with --payloads, but it is not set');
  const fault = await store.fault();
  if (fault !== null) throw new PayloadStoreUnavailable(`Expected the payload store to answer, but: ${fault}`);
  return store;
}

interface StoredLog {
  readonly leaves: LogLeaves;
  readonly tree: LogTree;
  readonly events: Pick<EventReads, 'head' | 'scan'>;
}

async function onLog<T>(env: Environment, work: (log: StoredLog) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir, eventStoreUrl, eventStorePrefix, subjectKeyFile } = readConfig(env);
  const log = (): void => undefined;
  const database = await openDatabase({ databaseUrl, dataDir, readOnly: true, log });
  const pool = new PostgresPool({ url: database.url, size: 2, functions: BUILD.schema });
  try {
    const events = { eventStoreUrl, eventStorePrefix, subjectKeyFile };
    const other = await openToIndex({ ...events, databaseUrl: database.url, log });
    const here = new PostgresEventStore(pool, new LocalWakeUps());
    if (!other) return await work({ leaves: new PostgresLeaves(pool), tree: new LogTree(pool), events: here });
    return await inEventStoreDb(pool, other, work);
  } finally {
    await pool.end();
    await database.close();
  }
}

async function inEventStoreDb<T>(
  pool: PostgresPool,
  other: ExternalEventStore,
  work: (log: StoredLog) => Promise<T>,
): Promise<T> {
  const halves = halvesBy(pool, other.masterKeys);
  const log = new EventStoreDbLog({ ...other, halves, clock: new DatabaseClock(pool) });
  try {
    return await work({ leaves: new EventStoreDbLeaves(log, halves), tree: new LogTree(pool), events: log });
  } finally {
    await log.close();
  }
}
