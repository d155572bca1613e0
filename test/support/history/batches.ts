import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import type { BatchCounts, BatchEvent, BatchEventOf } from '../../../src/domain/batch/batch.events.js';
import { BATCH_CATEGORY, batchIdOf } from '../../../src/domain/batch/batch.stream.js';
import { sameContent } from '../../../src/domain/kernel/json.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { Graph } from './graph.js';
import { isOfTask, type Log, type TaskRecord, type Violation, violation } from './history.js';

/**
 * I14: a batch is opened before its tasks run, ends with them, is counted as the log says at that position, and reports
 * once for each end, with the same counts.
 */
export function* batchViolations(log: Log): Generator<Violation> {
  const graph = new Graph();
  const batches = new Batches(graph);
  for (const recorded of log.events) {
    graph.take(recorded);
    if (isOfTask(recorded)) yield* batches.claimed(recorded);
    else if (recorded.stream.startsWith(`${BATCH_CATEGORY}-`)) yield* batches.moved(recorded);
  }
  yield* batches.left();
}

class Batches {
  private readonly opened = new Set<string>();
  /** What each batch has reported since it last ended, and how often in all. */
  private readonly reported = new Map<string, { readonly counts: BatchCounts }>();
  /** The batches that somebody has asked for a report. */
  private readonly requested = new Set<string>();
  private readonly numbers = new Map<string, number>();
  private readonly last = new Map<string, RecordedEvent>();

  constructor(private readonly graph: Graph) {}

  *claimed(recorded: TaskRecord): Generator<Violation> {
    if (recorded.event.type !== 'TaskClaimed') return;
    const task = taskIdOf(recorded.stream);
    const batch = this.graph.batchOf(task);
    if (batch !== undefined && !this.opened.has(batch))
      yield violation('I14', `Expected batch '${batch}' to be open before '${task}' is claimed`, recorded);
  }

  *moved(recorded: RecordedEvent): Generator<Violation> {
    const batch = batchIdOf(recorded.stream);
    const event = recorded.event as BatchEvent;
    this.last.set(batch, recorded);
    const members = this.graph.statesIn(batch);
    if (event.type === 'BatchOpened') {
      this.opened.add(batch);
      if (members.length !== event.data.tasks)
        yield violation(
          'I14',
          `Expected ${event.data.tasks} tasks in '${batch}', but it has ${members.length}`,
          recorded,
        );
    }
    if (event.type === 'BatchReportRequested') this.requested.add(batch);
    if (event.type === 'BatchReported' || event.type === 'BatchTaskReported')
      yield* this.reports(batch, event, recorded);
    if (event.type !== 'BatchCompleted' && event.type !== 'BatchFailed') return;
    yield* this.endsReported(batch, event, recorded);
    const counted = countsOf(members);
    // A report by hand may come while tasks are still at work, and the end follows in the same append.
    const { open, ...ended } = counted;
    if (!sameContent(ended, event.data.counts) || (open > 0 && !this.requested.delete(batch)))
      yield violation('I14', `Expected '${batch}' to end with ${JSON.stringify(counted)}`, recorded);
  }

  /** Reports are numbered without a gap, and none follows another without an end between them. */
  private *reports(batch: string, event: Report, recorded: RecordedEvent): Generator<Violation> {
    const number = (this.numbers.get(batch) ?? 0) + 1;
    this.numbers.set(batch, event.data.number);
    if (event.data.number !== number)
      yield violation('I14', `Expected report ${number} of '${batch}', but it is ${event.data.number}`, recorded);
    if (event.type !== 'BatchReported') return;
    if (this.reported.has(batch))
      yield violation('I14', `Expected '${batch}' to end after a report, but it reports again`, recorded);
    this.reported.set(batch, { counts: event.data.counts });
  }

  /** A batch that ends for the first time has reported in the same append. */
  private *endsReported(batch: string, { data }: End, recorded: RecordedEvent): Generator<Violation> {
    const report = this.reported.get(batch);
    this.reported.delete(batch);
    if (report && !sameContent(report.counts, data.counts))
      yield violation('I14', `Expected '${batch}' to end with the counts of its report`, recorded);
    if (!report && !this.numbers.has(batch))
      yield violation('I14', `Expected '${batch}' to report when it ends, but it did not`, recorded);
  }

  /** The run is over, so a batch has ended if its tasks have, and has taken them with it if it was aborted or deleted. */
  *left(): Generator<Violation> {
    for (const [batch, recorded] of this.last) {
      const [state, members] = [this.graph.stateOf(batch), this.graph.statesIn(batch)];
      if (state === 'running' && countsOf(members).open === 0)
        yield violation('I14', `Expected '${batch}' to end with its tasks, but it is running`, recorded);
      const left = members.filter((one) => !LEAVES[state]?.includes(one));
      if (LEAVES[state] && left.length > 0)
        yield violation('I14', `Expected '${batch}' to leave no task ${left[0]} when it is ${state}`, recorded);
    }
  }
}

type Report = BatchEventOf<'BatchReported' | 'BatchTaskReported'>;
type End = BatchEventOf<'BatchCompleted' | 'BatchFailed'>;

const SUCCESSES = ['succeeded', 'superseded'];

/** The states that the tasks of a batch may end in once the batch is in this one. */
const LEAVES: Readonly<Record<string, readonly string[]>> = {
  aborted: [...SUCCESSES, 'aborted', 'deleted'],
  deleted: [...SUCCESSES, 'deleted'],
};

function countsOf(states: readonly string[]): BatchCounts & { readonly open: number } {
  const count = (...wanted: readonly string[]): number => states.filter((state) => wanted.includes(state)).length;
  const ended = { failed: count('failed'), aborted: count('aborted'), deleted: count('deleted') };
  const succeeded = count(...SUCCESSES);
  const open = states.length - succeeded - ended.failed - ended.aborted - ended.deleted;
  return { total: states.length, succeeded, ...ended, open };
}
