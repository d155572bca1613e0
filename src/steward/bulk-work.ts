import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { setTimeout as pause } from 'node:timers/promises';
import { filterOf } from '../api/operations/task-filter.js';
import type { BulkCheckpoints } from '../application/bulk-operations/bulk-checkpoints.port.js';
import { runsOn, statusesOf } from '../application/bulk-operations/operated-tasks.js';
import type { OperationRecord } from '../application/bulk-operations/operation-record.port.js';
import { UndoOnTasks } from '../application/bulk-operations/undo-on-tasks.handler.js';
import type { EventReads, EventStore } from '../application/kernel/event-store.port.js';
import type { WakeUps } from '../application/kernel/wake-ups.port.js';
import { OperateTasks } from '../application/tasks/operate-tasks.handler.js';
import { RunManyAgain } from '../application/tasks/run-many-again.handler.js';
import { ListTasks } from '../projections/tasks/tasks.queries.js';
import type { BulkWork } from './bulk-operation-run.js';
import { Places } from './places.js';
import type { UndoWork } from './undo-run.js';
import { watchEnds } from './watch-ends.js';

/** As many as three operations make that each give a page at once: more would hold up the appends of others. */
const APPENDS_AT_ONCE = 15;
/** The least time between two looks at tried tasks. */
const GAP_MS = 250;

interface Service {
  readonly commands: CommandBus;
  readonly queries: QueryBus;
  readonly checkpoints: BulkCheckpoints;
  readonly record: OperationRecord;
  readonly events: EventReads;
  readonly store: Pick<EventStore, 'head' | 'isIndexed'>;
  readonly wakeUps: WakeUps;
}

/** How long one look waits for the index. */
const LOOK_MS = 1_000;

async function untilIndexed(store: Service['store'], signal: AbortSignal): Promise<void> {
  for (const position = await store.head(); !(await store.isIndexed(position, LOOK_MS));) signal.throwIfAborted();
}

/** What operations ask of the service. */
export function bulkWork(service: Service): BulkWork & UndoWork {
  const { commands, queries, checkpoints, record, events, store, wakeUps } = service;
  const places = new Places(APPENDS_AT_ONCE);
  return {
    checkpoints,
    page: (filter, cursor, limit) => queries.execute(new ListTasks(filterOf(filter), cursor, limit)),
    give: ({ operation, ...many }, context) =>
      places.run(() =>
        commands.execute(
          operation.type === 'RunAgain'
            ? new RunManyAgain(many, operation.order, context)
            : new OperateTasks({ ...many, operation }, context),
        ),
      ),
    undo: (tasks, undoing, context) => places.run(() => commands.execute(new UndoOnTasks(tasks, undoing, context))),
    pageAfter: (operation, page) => record.pageAfter(operation, page),
    waitersAfter: (operation, place) => record.waitersAfter(operation, place),
    stuckAfter: (operation, page) => record.stuckAfter(operation, page),
    indexed: (signal) => untilIndexed(store, signal),
    hasStanding: (operation, token) => runsOn(events, operation, token),
    statesOf: (tasks) => statusesOf(events, tasks),
    watchEnds: (isOver, endsBy, signal) =>
      watchEnds(wakeUps, { queue: null, until: Date.parse(endsBy), gapMs: GAP_MS }, isOver, signal),
    pause: (ms, signal) => pause(ms, undefined, { signal }),
  };
}
