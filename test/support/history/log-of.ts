import type { EventReads } from '../../../src/application/kernel/event-store.port.js';
import { segmentsOf } from '../../../src/application/kernel/log-segment.js';
import { DatabaseClock } from '../../../src/infrastructure/database/database-clock.js';
import { EventStoreDbLog } from '../../../src/infrastructure/eventstoredb/log/eventstoredb-log.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { PostgresEventStore } from '../../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import type { RunningService } from '../running-service.js';

export interface OpenLog extends Pick<EventReads, 'readSegments'> {
  close(): Promise<void>;
}

/** The log of a service, as another process reads it. */
export function logOf({ pool, databaseUrl }: Pick<RunningService, 'pool' | 'databaseUrl'>): OpenLog {
  const url = process.env.EVENT_STORE_URL;
  if (url === undefined) {
    const store = new PostgresEventStore(pool, new LocalWakeUps());
    return { readSegments: (...range) => store.readSegments(...range), close: () => Promise.resolve() };
  }
  const prefix = `${new URL(databaseUrl).pathname.slice(1)}.`;
  const log = new EventStoreDbLog({ url, prefix, clock: new DatabaseClock(pool) });
  return {
    readSegments: async (after, limit) => segmentsOf(await log.readAll(after, limit)),
    close: () => log.close(),
  };
}
