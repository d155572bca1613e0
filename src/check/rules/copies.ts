import { sameContent } from '../../domain/kernel/json.js';
import { secondRun } from '../../domain/task/run-again.js';
import { isOpen, type Rerun, type Submission } from '../../domain/task/task.events.js';
import type { KnownTask, TaskState } from '../../domain/task/task.state.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import type { TaskRecord } from '../appends.js';
import type { LogIndex, Rule, Seen, Tell } from '../rule.js';
import { violation } from '../violation.js';

/**
 * I14 and I19: a task is copied once at most in reruns of batches, after it has failed. The copy begins where the task stopped, with its
 * data, and if it succeeds, the task is superseded. A second run that a person orders follows any end of the task, as often as it is ordered.
 */
export class Copies implements Rule {
  private readonly states = new Map<string, TaskState>();
  /** Each task as it had ended last: somebody may retry it before its second run is recorded. */
  private readonly ends = new Map<string, KnownTask>();
  private readonly copies = new Map<string, TaskRecord>();
  private readonly secondRuns: (readonly [original: string, run: TaskRecord])[] = [];

  constructor(
    private readonly index: LogIndex,
    private readonly isForeign: boolean,
  ) {}

  take(append: readonly Seen[], tell: Tell): void {
    for (const seen of append) {
      if (seen.id === null) continue;
      this.runAgain(seen.recorded, tell);
      this.states.set(seen.id, seen.after);
      if (hasEnded(seen.after)) this.ends.set(seen.id, seen.after);
    }
  }

  /** What tasks of a run of ours were is kept, because they may run again. */
  forget(id: string): void {
    if (!this.isForeign) return;
    this.ends.delete(id);
    this.states.delete(id);
    this.copies.delete(id);
  }

  end(tell: Tell): void {
    for (const [original, copy] of [...this.copies, ...this.secondRuns])
      if (this.isGood(taskIdOf(copy.stream)) && this.states.get(original)?.status === 'failed')
        tell(violation('I14', `Expected '${original}' to be superseded, because its copy succeeded`, copy));
  }

  private runAgain(recorded: TaskRecord, tell: Tell): void {
    const { event } = recorded;
    if (event.type !== 'TaskEnqueued' || event.data.rerunOf === undefined) return;
    if (event.data.batch === undefined) this.ordered(event.data, event.data.rerunOf, recorded, tell);
    else this.copied(event.data.rerunOf, recorded, tell);
  }

  private copied(rerun: Rerun, recorded: TaskRecord, tell: Tell): void {
    const before = this.copies.get(rerun.task);
    if (before) tell(violation('I14', `Expected '${rerun.task}' to have one copy, but it has two`, before, recorded));
    begins(rerun, this.states.get(rerun.task), recorded, tell);
    this.copies.set(rerun.task, recorded);
  }

  private ordered(run: Submission, rerun: Rerun, recorded: TaskRecord, tell: Tell): void {
    const { task } = rerun;
    const original = this.ends.get(task);
    if (!original && this.index.endedAs(task) === undefined)
      tell(violation('I14', `Expected '${task}' to have ended before it is run again, but it has not`, recorded));
    if (!original || this.isForeign) return;
    this.secondRuns.push([task, recorded]);
    const other = differenceIn(run, rerun, original);
    if (other === null) return;
    tell(violation('I19', `Expected the second run of '${task}' to repeat it, but it has another ${other}`, recorded));
  }

  private isGood(task: string): boolean {
    const status = this.states.get(task)?.status ?? this.index.endedAs(task);
    return status === 'succeeded' || status === 'superseded';
  }
}

const hasEnded = (state: TaskState): state is KnownTask => state.status !== 'unknown' && !isOpen(state.status);

/** The member in which a second run is not what its order makes of the task; null if there is none. */
function differenceIn(run: Submission, { task, step }: Rerun, original: KnownTask): string | null {
  const { queue, payload, steps = [] } = run;
  const order = { queue, ...(payload !== undefined && { payload }), ...(step !== undefined && { fromStep: step }) };
  const decided = secondRun(task, original, order, { name: queue, policy: null, steps });
  if ('code' in decided) return `beginning: ${decided.code}`;
  const recorded = { ...run, steps } as Readonly<Record<string, unknown>>;
  return MEMBERS.find((member) => !sameContent(decided[member], recorded[member])) ?? null;
}

const MEMBERS = ['kind', 'key', 'reference', 'labels', 'description', 'needs', 'steps', 'data', 'rerunOf'] as const;

function begins(
  { task, step, lastStep, data = {} }: Rerun,
  original: TaskState | undefined,
  copy: TaskRecord,
  tell: Tell,
) {
  if (original?.status !== 'failed') {
    tell(violation('I14', `Expected '${task}' to have failed before it is copied, but it has not`, copy));
    return;
  }
  const { nextStep, lastSuccessfulStep } = original.task;
  const isThere = step === undefined || (step === nextStep && (lastStep ?? null) === lastSuccessfulStep);
  if (!isThere || !sameContent(data, original.task.data))
    tell(violation('I19', `Expected the copy of '${task}' to go on at ${nextStep}, but it begins at ${step}`, copy));
}
