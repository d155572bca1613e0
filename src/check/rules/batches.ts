import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import type { BatchCounts, BatchEvent, BatchEventOf } from '../../domain/batch/batch.events.js';
import { BATCH_CATEGORY, batchIdOf } from '../../domain/batch/batch.stream.js';
import { sameContent } from '../../domain/kernel/json.js';
import type { TaskRecord } from '../appends.js';
import type { Rule, Seen, Tell } from '../rule.js';
import { violation } from '../violation.js';
import type { Graph } from './graph.js';

/**
 * I14: a batch is opened before its tasks run, ends with them, is counted as the log says at that position, and reports
 * once for each end, with the same counts.
 */
export class Batches implements Rule {
  private readonly opened = new Set<string>();
  /** What each batch has reported since it last ended, and how often in all. */
  private readonly reported = new Map<string, { readonly counts: BatchCounts }>();
  /** The batches that somebody has asked for a report. */
  private readonly requested = new Set<string>();
  private readonly numbers = new Map<string, number>();
  private readonly last = new Map<string, RecordedEvent>();

  constructor(
    private readonly graph: Graph,
    private readonly isForeign = false,
  ) {}

  take(append: readonly Seen[], tell: Tell): void {
    for (const { recorded, id } of append) {
      if (id !== null) this.claimed(recorded, id, tell);
      else if (recorded.stream.startsWith(`${BATCH_CATEGORY}-`)) this.moved(recorded, tell);
    }
  }

  private claimed(recorded: TaskRecord, task: string, tell: Tell): void {
    if (recorded.event.type !== 'TaskClaimed') return;
    const batch = this.graph.batchOf(task);
    if (batch !== undefined && !this.opened.has(batch))
      tell(violation('I14', `Expected batch '${batch}' to be open before '${task}' is claimed`, recorded));
  }

  private moved(recorded: RecordedEvent, tell: Tell): void {
    const batch = batchIdOf(recorded.stream);
    const event = recorded.event as BatchEvent;
    this.last.set(batch, recorded);
    const counted = countsOf(this.graph.countsIn(batch));
    if (event.type === 'BatchOpened') {
      this.opened.add(batch);
      const says = `Expected ${event.data.tasks} tasks in '${batch}', but it has ${counted.total}`;
      if (counted.total !== event.data.tasks) tell(violation('I14', says, recorded));
    }
    if (event.type === 'BatchReportRequested') this.requested.add(batch);
    if (event.type === 'BatchReported' || event.type === 'BatchTaskReported')
      this.reports(batch, event, recorded, tell);
    if (event.type !== 'BatchCompleted' && event.type !== 'BatchFailed') return;
    this.endsReported(batch, event, recorded, tell);
    // A report by hand may come while tasks are still at work, and the end follows in the same append.
    const { open, ...ended } = counted;
    if (!sameContent(ended, event.data.counts) || (open > 0 && !this.requested.delete(batch)))
      tell(violation('I14', `Expected '${batch}' to end with ${JSON.stringify(counted)}`, recorded));
  }

  /** Reports are numbered without a gap, and none follows another without an end between them. */
  private reports(batch: string, event: Report, recorded: RecordedEvent, tell: Tell): void {
    const number = (this.numbers.get(batch) ?? 0) + 1;
    this.numbers.set(batch, event.data.number);
    if (event.data.number !== number)
      tell(violation('I14', `Expected report ${number} of '${batch}', but it is ${event.data.number}`, recorded));
    if (event.type !== 'BatchReported') return;
    if (this.reported.has(batch))
      tell(violation('I14', `Expected '${batch}' to end after a report, but it reports again`, recorded));
    this.reported.set(batch, { counts: event.data.counts });
  }

  /** A batch that ends for the first time has reported in the same append. */
  private endsReported(batch: string, { data }: End, recorded: RecordedEvent, tell: Tell): void {
    const report = this.reported.get(batch);
    this.reported.delete(batch);
    if (report && !sameContent(report.counts, data.counts))
      tell(violation('I14', `Expected '${batch}' to end with the counts of its report`, recorded));
    if (!report && !this.numbers.has(batch) && !this.isOfEarlierBuild())
      tell(violation('I14', `Expected '${batch}' to report when it ends, but it did not`, recorded));
  }

  /** The first builds reported nothing. A log of theirs has no report until a later build takes over. */
  private isOfEarlierBuild(): boolean {
    return this.isForeign && this.numbers.size === 0;
  }

  /** The run is over, so a batch has ended if its tasks have, and has taken them with it if it was aborted or deleted. */
  end(tell: Tell): void {
    for (const [batch, recorded] of this.last) {
      const [state, members] = [this.graph.stateOf(batch), this.graph.countsIn(batch)];
      if (state === 'running' && countsOf(members).open === 0)
        tell(violation('I14', `Expected '${batch}' to end with its tasks, but it is running`, recorded));
      const left = [...members].flatMap(([one, count]) => (count > 0 && !LEAVES[state]?.includes(one) ? [one] : []));
      if (LEAVES[state] && left.length > 0)
        tell(violation('I14', `Expected '${batch}' to leave no task ${left[0]} when it is ${state}`, recorded));
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

function countsOf(states: ReadonlyMap<string, number>): BatchCounts & { readonly open: number } {
  const count = (...wanted: readonly string[]): number => wanted.reduce((sum, one) => sum + (states.get(one) ?? 0), 0);
  const ended = { failed: count('failed'), aborted: count('aborted'), deleted: count('deleted') };
  const succeeded = count(...SUCCESSES);
  const total = count(...states.keys());
  const open = total - succeeded - ended.failed - ended.aborted - ended.deleted;
  return { total, succeeded, ...ended, open };
}
