import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { segmentsOf } from '../../../src/application/kernel/log-segment.js';
import { type Rows, writeChanges } from '../../../src/infrastructure/projection-engine/change-writer.js';
import { openCheckpoint } from '../../../src/infrastructure/projection-engine/checkpoint.js';
import { inTransaction } from '../../../src/infrastructure/database/transaction.js';
import type { Projection } from '../../../src/projections/kernel/projection.js';
import { FOLLOWED } from '../../../src/projections/read-models.js';
import { taskRowChange } from '../../../src/projections/kernel/rows/task-row-rules.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { foldCounts, storedCounts } from '../../projections/model-fold.js';
import { attempts, historyOf } from '../../projections/random-history.js';
import { applyRowChange, type FoldedRow } from '../../projections/task-row-fold.js';
import { defineQueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { appendHistory } from './append-history.js';

describe('read models in Postgres', () => {
  let db: PostgresFixture;

  beforeAll(async () => {
    db = await openPostgresStore();
    await db.store.append([defineQueue('mail'), defineQueue('scan')]);
  });
  afterAll(() => db.close());

  for (const projection of FOLLOWED) {
    it(`${projection.name}: built in batches of any size equals the fold from zero`, async () => {
      await fc.assert(
        fc.asyncProperty(attempts(), fc.integer({ min: 1, max: 40 }), async (attempted, size) => {
          const { events } = historyOf(attempted);
          await build(projection, events, size);
          expect(await storedCounts(projection, db.pool)).toEqual(foldCounts(projection, events));
        }),
        { numRuns: 25 },
      );
    });
  }

  it('tasks: the rows written with the events equal the fold of the log from zero', async () => {
    await fc.assert(
      fc.asyncProperty(attempts(80), async (attempted) => {
        const rows = new Map<string, FoldedRow>();
        const before = await db.store.head();
        await appendHistory(db.store, attempted);
        for (const one of await db.store.readAll(before, 100_000)) {
          const change = taskRowChange(one.event as TaskEvent);
          rows.set(taskIdOf(one.stream), applyRowChange(rows.get(taskIdOf(one.stream)), change, one));
        }
        const stored = await db.pool.query('select * from tasks where task_id = any ($1)', [[...rows.keys()]]);
        expect(new Map(stored.rows.map((row) => [row.task_id, storedTask(row)]))).toEqual(
          new Map([...rows].map(([id, row]) => [id, expectedTask(id, row)])),
        );
      }),
      { numRuns: 25 },
    );
  });

  async function build(projection: Projection<never>, events: readonly RecordedEvent[], size: number): Promise<void> {
    for (const { name } of projection.tables) await db.pool.query(`truncate ${name}`);
    await db.pool.query('delete from projection_checkpoints');
    const checkpoint = await openCheckpoint(db.pool, projection.name, projection.version);
    let rows: readonly Rows<Projection<never>>[] = [{ projection, checkpoint }];
    for (let at = 0; at < events.length; at += size) {
      const batch = segmentsOf(events.slice(at, at + size));
      const from = rows;
      rows = await inTransaction(db.pool, (connection) => writeChanges(connection, from, batch));
    }
  }
});

type Row = Record<string, unknown>;

/** Leaves out the columns that belong to the claim. */
/** The index' columns are no part of the model. */
const OF_INDEX = [
  'token',
  'lease',
  'cancel_requested',
  'awaited',
  'dependent',
  'stopped',
  'entered',
  'retries',
  'batch',
  'hold',
  'rare_state',
  'place',
  'alarm_at',
  'waits_for',
];

const storedTask = ({ seq, position, ...row }: Row): Row => ({
  ...Object.fromEntries(Object.entries(row).filter(([column]) => !OF_INDEX.includes(column))),
  seq: BigInt(seq as string),
  position: BigInt(position as string),
});

function expectedTask(id: string, { submission, ...row }: FoldedRow): Row {
  const { queue, kind, key = null, reference = null, labels = null, description = null, needs = null } = submission;
  return {
    task_id: id,
    queue,
    kind,
    key,
    reference,
    labels,
    payload_terms: row.payloadTerms,
    needs,
    description,
    state: row.state,
    priority: row.priority,
    attempt: row.attempt,
    worker: row.worker,
    last_step: row.lastStep,
    step: row.step,
    due_at: row.dueAt,
    expires_at: row.expiresAt,
    deadline_at: row.deadlineAt,
    missed: row.missed,
    overdue: row.missed && ['prepared', 'pending', 'held', 'running', 'undecided'].includes(row.state),
    run_until: row.state === 'running' ? row.runUntil : null,
    enqueued_at: row.enqueuedAt,
    started_at: row.startedAt,
    finished_at: row.finishedAt,
    failed_at: row.failedAt,
    waiting_since: row.waitingSince,
    error: row.error,
    error_class: row.errorClass,
    position: row.position,
    revision: row.revision,
    seq: row.seq,
  };
}
