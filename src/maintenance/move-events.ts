import { REACTION_NAMES } from '../application/reactions/reactions.js';
import type { Config } from '../bootstrap/config.js';
import { openDatabase } from '../bootstrap/database.js';
import { BUILD } from '../bootstrap/functions.js';
import { reachEventStore } from '../bootstrap/event-store.js';
import { copyEvents, type CopyProgress, type CopyReport } from '../infrastructure/eventstoredb/copy/copy-events.js';
import { CopySource } from '../infrastructure/eventstoredb/copy/copy-source.js';
import { EventStoreDbCopy } from '../infrastructure/eventstoredb/copy/eventstoredb-copy.js';
import { LogMarker } from '../infrastructure/eventstoredb/log/log-marker.js';
import { PostgresLogMarks } from '../infrastructure/eventstoredb/log/postgres-log-marks.js';
import type { StoreAddress } from '../infrastructure/eventstoredb/log/store-identity.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { CopyRefused } from '../infrastructure/eventstoredb/copy/copy-refused.js';
import { masked } from '../infrastructure/telemetry/masked.js';

export interface CopyOptions {
  readonly config: Config;
  readonly onProgress: (progress: CopyProgress) => void;
  /** Receives messages for people. */
  readonly log: (line: string) => void;
}

/**
 * Copies the events of the configured database to its event store. If both are equal afterwards, marks the database as
 * moved, so that no service writes to it again.
 */
export async function moveEvents({ config, onProgress, log }: CopyOptions): Promise<CopyReport> {
  const { databaseUrl, dataDir, migrationMs, eventStoreUrl, eventStorePrefix } = config;
  const address = await reachEventStore({ eventStoreUrl, eventStorePrefix, log });
  if (!address) throw new CopyRefused('EVENT_STORE_URL to name the EventStoreDB to copy to', 'it is not set');
  const database = await openDatabase({ databaseUrl, dataDir, migrationMs, log });
  // The source has one connection as long as it is open, and the marks have the other.
  const pool = new PostgresPool({ url: database.url, size: 2, functions: BUILD.schema });
  try {
    const source = await CopySource.open(pool, REACTION_NAMES);
    let movedTo: string | undefined;
    try {
      const report = await copyTo(address, source, pool, onProgress);
      if (report.equal) movedTo = address.id;
      return report;
    } finally {
      await source.close(movedTo);
    }
  } finally {
    await pool.end();
    await database.close();
  }
}

/** Marks what of the target was looked through, for a run that goes on after this one. */
async function copyTo(
  address: StoreAddress,
  source: CopySource,
  pool: PostgresPool,
  onProgress: CopyOptions['onProgress'],
): Promise<CopyReport> {
  const marks = new PostgresLogMarks(pool);
  const target = await EventStoreDbCopy.open(address, marks);
  const marker = new LogMarker(target, marks);
  try {
    marker.start();
    return await copyEvents(source, target, onProgress);
  } finally {
    await marker.stop();
    await target.close();
  }
}

/** The final message for people. */
export function reportText(
  { copied, source, target, equal }: CopyReport,
  { databaseUrl, eventStoreUrl, eventStorePrefix }: Config,
): string {
  const sides = [
    `Copied ${copied} events; ${target.count - copied} were there.`,
    `source  ${source.count} events  sha256 ${source.hash}`,
    `target  ${target.count} events  sha256 ${target.hash}`,
  ];
  if (!equal) return [...sides, 'Expected both sides to be equal, but they differ: do not use the target.'].join('\n');
  const other = databaseUrl === undefined ? 'WAYBILL_DATA_DIR=<a new folder>' : 'DATABASE_URL=<a new database>';
  const prefix = eventStorePrefix && ` EVENT_STORE_PREFIX=${eventStorePrefix}`;
  const settings = `${other} EVENT_STORE_URL='${masked(eventStoreUrl!)}'${prefix}`;
  return [
    ...sides,
    'Both sides are equal. The old database keeps its events, and no service starts on it any more. Next:',
    `  ${settings} npm run rebuild -- index`,
    `  ${settings} npm start`,
  ].join('\n');
}
