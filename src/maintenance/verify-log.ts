import { ConfigError, type Environment, readConfig } from '../bootstrap/config.js';
import { openDatabase } from '../bootstrap/database.js';
import { type ExternalEventStore, openToIndex } from '../bootstrap/event-store.js';
import { BUILD } from '../bootstrap/functions.js';
import { StartupError } from '../bootstrap/startup-error.js';
import { parseCheckpoint } from '../domain/seals/checkpoint.js';
import { parseNote } from '../domain/seals/note.js';
import { type NoteKey, parseVerifierKey } from '../domain/seals/note-key.js';
import { SealError } from '../domain/seals/seal-error.js';
import { signersOf } from '../domain/seals/signers.js';
import { DatabaseClock } from '../infrastructure/database/database-clock.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { EventStoreDbLeaves } from '../infrastructure/eventstoredb/log/eventstoredb-leaves.js';
import { EventStoreDbLog } from '../infrastructure/eventstoredb/log/eventstoredb-log.js';
import type { LogLeaves } from '../infrastructure/notary/log-leaves.port.js';
import { LogTree } from '../infrastructure/notary/log-tree.js';
import { sha256, verifySignature } from '../infrastructure/notary/node-signing.js';
import { PostgresLeaves } from '../infrastructure/notary/postgres-leaves.js';
import {
  type KeptSeal,
  type LogFinding,
  LogVerification,
  verifyLeaves,
} from '../infrastructure/notary/verification.js';

/** What `waybill verify` is given: a key as people hand it on, and seals that were kept. All are texts. */
export interface VerifyOptions {
  readonly key: string | null;
  readonly seals: readonly { readonly name: string; readonly text: string }[];
  readonly onFinding: (finding: ToldFinding) => void;
}

export interface ToldFinding extends Omit<LogFinding, 'position'> {
  readonly position: string | null;
}

/**
 * Runs `waybill verify` on the log of the environment. It writes nothing to the log; like every program of this package it brings an
 * older schema up to date, and gives an event store without a name its own. `refused`: why the log cannot be looked at.
 */
export async function verifyLog(env: Environment, { key, seals, onFinding }: VerifyOptions) {
  try {
    const keys = key === null ? [] : [parseVerifierKey(key, sha256)];
    const kept = seals.map(({ name, text }) => keptSeal(name, text, keys));
    let findings = 0;
    const verification = new LogVerification(kept, (finding) => {
      findings++;
      onFinding({ ...finding, position: finding.position === null ? null : String(finding.position) });
    });
    const { size, root } = await onLog(env, (leaves, tree) => verifyLeaves(leaves, tree, verification));
    return { findings, size, root: Buffer.from(root).toString('base64'), seals: kept.length };
  } catch (error) {
    if ([StartupError, ConfigError, SealError].some((known) => error instanceof known))
      return { refused: (error as Error).message };
    throw error;
  }
}

/** Throws SealError if it is no seal of one of the keys. */
function keptSeal(name: string, text: string, keys: readonly NoteKey[]): KeptSeal {
  const note = parseNote(text);
  signersOf(note, keys, verifySignature);
  const { origin, size, root } = parseCheckpoint(note.text);
  if (!keys.some((key) => key.name === origin))
    throw new SealError(`a seal of the log ${keys[0]!.name} in ${name}`, origin);
  return { size, root, note: text };
}

async function onLog<T>(env: Environment, work: (leaves: LogLeaves, tree: LogTree) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir, migrationMs, eventStoreUrl, eventStorePrefix } = readConfig(env);
  const log = (): void => undefined;
  const database = await openDatabase({ databaseUrl, dataDir, migrationMs, log });
  const pool = new PostgresPool({ url: database.url, size: 2, functions: BUILD.schema });
  try {
    const other = await openToIndex({ eventStoreUrl, eventStorePrefix, databaseUrl: database.url, log });
    if (!other) return await work(new PostgresLeaves(pool), new LogTree(pool));
    return await inEventStoreDb(pool, other, work);
  } finally {
    await pool.end();
    await database.close();
  }
}

async function inEventStoreDb<T>(
  pool: PostgresPool,
  other: ExternalEventStore,
  work: (leaves: LogLeaves, tree: LogTree) => Promise<T>,
): Promise<T> {
  const log = new EventStoreDbLog({ ...other, clock: new DatabaseClock(pool) });
  try {
    return await work(new EventStoreDbLeaves(log), new LogTree(pool));
  } finally {
    await log.close();
  }
}
