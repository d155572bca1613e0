import type { Provider } from '@nestjs/common';
import { Clock } from '../application/kernel/clock.port.js';
import { EventReads } from '../application/kernel/event-store.port.js';
import { ReadPool } from '../infrastructure/database/postgres-pool.js';
import { FoldedMoves } from '../infrastructure/past/folded-moves.js';
import { LogPast } from '../infrastructure/past/log-past.js';
import { LogTimes } from '../infrastructure/past/log-times.port.js';
import { PostgresTimeMarks } from '../infrastructure/past/postgres-time-marks.js';
import { TimeMarks } from '../infrastructure/past/time-marks.port.js';
import { FoldedRows } from '../infrastructure/past/models/folded-rows.js';
import { ModelSnapshots } from '../infrastructure/past/models/model-snapshots.js';
import { FoldedStates } from '../infrastructure/past/snapshots/folded-states.js';
import { LogScale } from '../infrastructure/past/snapshots/snapshot.js';
import { Snapshots } from '../infrastructure/past/snapshots/snapshots.js';
import { MovesBetween } from '../projections/kernel/moves-between.port.js';
import { Past } from '../projections/kernel/past.port.js';
import { RowsThen } from '../projections/kernel/rows-then.port.js';
import { StatesThen } from '../projections/kernel/states-then.port.js';

/** What answers questions about the past, from the log and snapshots of it. */
export const PAST: readonly Provider[] = [
  { provide: TimeMarks, inject: [ReadPool], useFactory: (pool: ReadPool) => new PostgresTimeMarks(pool) },
  {
    provide: Past,
    inject: [EventReads, LogTimes, TimeMarks, Clock],
    useFactory: (...parts: ConstructorParameters<typeof LogPast>) => new LogPast(...parts),
  },
  {
    provide: MovesBetween,
    inject: [EventReads],
    useFactory: (log: EventReads) => new FoldedMoves(log),
  },
  {
    provide: StatesThen,
    inject: [ReadPool, EventReads, LogScale],
    useFactory: (pool: ReadPool, log: EventReads, scale: LogScale) => new FoldedStates(new Snapshots(pool), log, scale),
  },
  {
    provide: RowsThen,
    inject: [ReadPool, EventReads, LogScale],
    useFactory: (pool: ReadPool, log: EventReads, scale: LogScale) =>
      new FoldedRows(new ModelSnapshots(pool), new Snapshots(pool), log, scale),
  },
];
