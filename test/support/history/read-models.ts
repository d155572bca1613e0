import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { ARCHIVABLE_STATES, type ArchivableState } from '../../../src/domain/queue/retention.policy.js';
import { sameContent } from '../../../src/domain/kernel/json.js';
import { type PayloadTerms, payloadTerms } from '../../../src/domain/search/payload-terms.js';
import type { HoldRef, Submission } from '../../../src/domain/task/task.events.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import type { Table } from '../../../src/projections/kernel/table.js';
import { FOLLOWED } from '../../../src/projections/read-models.js';
import { enters, retries, taskRowChange } from '../../../src/projections/kernel/rows/task-row-rules.js';
import { foldCounts, written } from '../../projections/model-fold.js';
import { applyRowChange, type FoldedRow } from '../../projections/task-row-fold.js';
import { type History, type Log, type Row, type TaskRecord, type Violation, violation } from './history.js';
import { comesBack } from '../../../src/check/rules/order.js';

/** I8: every row is as the log requires, and there is no row without the log. */
export function* readModelViolations(history: History, log: Log): Generator<Violation> {
  const { tasks, archived = [], models, checkpoints } = history;
  const stored = new Map([...tasks, ...archived].map((row) => [row.task_id as string, row]));
  yield* archiveViolations(tasks, archived);
  yield* differences('tasks', foldTasks(log), stored, (id) => log.tasks.get(id) ?? []);
  for (const projection of FOLLOWED) {
    const position = checkpoints.find(({ name }) => name === projection.name)?.position ?? 0n;
    const seen = log.events.filter((recorded) => recorded.position <= position);
    const [table] = projection.tables as readonly [Table];
    const key = Object.keys(table.key);
    const rows = models[projection.name] ?? [];
    const byKey = new Map(rows.map((row) => [key.map((name) => row[name]).join('/'), written(table, row)]));
    yield* differences(projection.name, foldCounts(projection, seen), byKey, () => []);
  }
}

/** A task is in the lists or in the archive, where only ended tasks are. */
function* archiveViolations(tasks: readonly Row[], archived: readonly Row[]): Generator<Violation> {
  const listed = new Set(tasks.map(({ task_id: id }) => id));
  for (const { task_id: id, state } of archived) {
    if (listed.has(id))
      yield violation('I8', `Expected task '${String(id)}' in the archive alone, but it is in the lists too`);
    if (!ARCHIVABLE_STATES.includes(state as ArchivableState))
      yield violation('I8', `Expected the archived task '${String(id)}' to have ended, but it is ${String(state)}`);
  }
}

/** I9: a checkpoint past the head claims events that do not exist. */
export function* checkpointViolations({ events, checkpoints }: History): Generator<Violation> {
  const head = events.at(-1)?.position ?? 0n;
  for (const { name, position } of checkpoints) {
    if (position > head)
      yield violation('I9', `Expected the checkpoint of '${name}' within the log's ${head}, but it is at ${position}`);
  }
}

function* differences(
  model: string,
  expected: ReadonlyMap<string, Row>,
  stored: ReadonlyMap<string, Row>,
  eventsOf: (key: string) => readonly RecordedEvent[],
): Generator<Violation> {
  for (const key of new Set([...expected.keys(), ...stored.keys()])) {
    const [fold, row] = [expected.get(key), stored.get(key)];
    if (sameContent(plain(fold), plain(row))) continue;
    const says = `Expected row '${key}' of '${model}' to be ${JSON.stringify(plain(fold))}, but it is ${JSON.stringify(plain(row))}`;
    yield violation('I8', says, ...eventsOf(key));
  }
}

const plain = (row: Row | undefined): Row =>
  Object.fromEntries(
    Object.entries(row ?? {}).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  );

/** Whether a task in this state stands in line, or has had its turn last. */
const hasPlace = (state: string): boolean => ['prepared', 'pending', 'held', 'running', 'succeeded'].includes(state);

/** The rows of `tasks` that follow from the log. Ignores a history without its first event, which I7 reports. */
export function foldTasks(log: Log): Map<string, Row> {
  const whole = [...log.tasks].filter(([, [first]]) => 'kind' in first!.event.data);
  return new Map(whole.map(([id, records]) => [id, expectedTask(records)]));
}

function expectedTask(records: readonly TaskRecord[]): Row {
  const first = records[0]!;
  const row = records.reduce(
    (before: FoldedRow | undefined, recorded) => applyRowChange(before, taskRowChange(recorded.event), recorded),
    undefined,
  )!;
  const { queue, kind, key = null, reference = null, batch = null } = row.submission;
  const { labels = null, description = null, needs = null } = row.submission;
  const { state, priority, attempt, worker, error, position, revision } = row;
  return {
    task_id: taskIdOf(first.stream),
    seq: first.position,
    queue,
    kind,
    key,
    reference,
    batch,
    labels,
    description,
    needs,
    state,
    priority,
    attempt,
    worker,
    error,
    position,
    revision,
    last_step: row.lastStep,
    step: row.step,
    retries: records.filter(({ event }) => retries(event)).length,
    place: hasPlace(state) ? placeOf(records) : null,
    entered: isEntered(records, row.submission.steps !== undefined),
    due_at: row.dueAt,
    expires_at: row.expiresAt,
    deadline_at: row.deadlineAt,
    missed: row.missed,
    overdue: row.missed && ['prepared', 'pending', 'held', 'running', 'undecided'].includes(state),
    run_until: state === 'running' ? row.runUntil : null,
    enqueued_at: row.enqueuedAt,
    started_at: row.startedAt,
    finished_at: row.finishedAt,
    failed_at: row.failedAt,
    error_class: row.errorClass,
    waiting_since: row.waitingSince,
    stopped: state === 'cancelled' && wasStopped(records),
    rare_state: ['pending', 'running', 'succeeded', 'failed'].includes(state) ? null : state,
    hold: state === 'held' ? holdOf(records) : null,
    payload_terms: termsOf(records),
    waits_for: waitsForOf(records),
  };
}

/** What its handler waits for, if the task was not given out, retried or moved since. */
function waitsForOf(records: readonly TaskRecord[]): 'signal' | 'time' | null {
  const last = records.findLast(({ event: { type } }) => ENDS_WAIT.includes(type) || type === 'TaskWaited')?.event;
  if (last?.type !== 'TaskWaited') return null;
  return last.data.signal === undefined ? 'time' : 'signal';
}
const ENDS_WAIT = ['TaskClaimed', 'TaskRetried', 'TaskRescheduled'];

/** What searches find of the last payload. */
function termsOf(records: readonly TaskRecord[]): PayloadTerms | null {
  const last = records.findLast(({ event }) => 'searchPaths' in event.data)?.event.data as Submission | undefined;
  return payloadTerms(last?.payload, last?.searchPaths);
}

/** An undo gives the place back that the task had before the operation, which is not always the position that the event names: the log may be a copy. */
function placeOf(records: readonly TaskRecord[]): bigint | null {
  const last = records.findLastIndex((record) => comesBack(record) || record.event.type === 'TaskRestored');
  const { event, position } = records[last] ?? {};
  if (event?.type !== 'TaskRestored') return position ?? null;
  const before = records.slice(0, last);
  return placeOf(before.filter(({ envelope }) => envelope.correlationId !== event.data.undoes));
}

function isEntered(records: readonly TaskRecord[], hasSteps: boolean): boolean {
  return records.reduce(
    (entered, { event }) =>
      event.type === 'TaskRestored' ? event.data.was.entered === true : entered || enters(event, hasSteps),
    false,
  );
}

/** A shutdown cancelled the task last. */
function wasStopped(records: readonly TaskRecord[]): boolean {
  const last = records.findLast(({ event }) => event.type === 'TaskCancelled' || event.type === 'TaskRestored')?.event;
  return (last?.type === 'TaskCancelled' || last?.type === 'TaskRestored') && last.data.shutdown === true;
}

/** The hold that caught a held task; null if a person or a worker held it. */
function holdOf(records: readonly TaskRecord[]): string | null {
  const last = records.findLast(({ event }) => 'heldBy' in event.data)?.event.data as { heldBy: HoldRef } | undefined;
  return last?.heldBy.hold ?? null;
}
