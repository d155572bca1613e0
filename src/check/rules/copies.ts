import { sameContent } from '../../domain/kernel/json.js';
import type { Rerun } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import type { TaskRecord } from '../appends.js';
import type { LogIndex, Rule, Seen } from '../rule.js';
import { type Violation, violation } from '../violation.js';

/**
 * I14 and I19: a task is copied once at most, after it has failed. The copy begins where the task stopped, with its data, and
 * if it succeeds, the task is superseded.
 */
export class Copies implements Rule {
  private readonly states = new Map<string, TaskState>();
  private readonly copies = new Map<string, TaskRecord>();

  constructor(private readonly index: LogIndex) {}

  *take(append: readonly Seen[]): Generator<Violation> {
    for (const seen of append) {
      if (seen.id === null) continue;
      yield* this.copied(seen.recorded);
      this.states.set(seen.id, seen.after);
    }
  }

  forget(id: string): void {
    this.states.delete(id);
    this.copies.delete(id);
  }

  *end(): Generator<Violation> {
    for (const [original, copy] of this.copies)
      if (this.isGood(taskIdOf(copy.stream)) && this.states.get(original)?.status === 'failed')
        yield violation('I14', `Expected '${original}' to be superseded, because its copy succeeded`, copy);
  }

  private *copied(recorded: TaskRecord): Generator<Violation> {
    const rerun = rerunIn(recorded);
    if (!rerun) return;
    const before = this.copies.get(rerun.task);
    if (before) yield violation('I14', `Expected '${rerun.task}' to have one copy, but it has two`, before, recorded);
    yield* begins(rerun, this.states.get(rerun.task), recorded);
    this.copies.set(rerun.task, recorded);
  }

  private isGood(task: string): boolean {
    const status = this.states.get(task)?.status ?? this.index.endedAs(task);
    return status === 'succeeded' || status === 'superseded';
  }
}

/** The second run that a person orders of one task belongs to no batch, and may follow any end. */
const rerunIn = ({ event }: TaskRecord): Rerun | undefined =>
  event.type === 'TaskEnqueued' && event.data.batch !== undefined ? event.data.rerunOf : undefined;

function* begins({ task, step, lastStep, data = {} }: Rerun, original: TaskState | undefined, copy: TaskRecord) {
  if (original?.status !== 'failed') {
    yield violation('I14', `Expected '${task}' to have failed before it is copied, but it has not`, copy);
    return;
  }
  const { nextStep, lastSuccessfulStep } = original.task;
  const isThere = step === undefined || (step === nextStep && (lastStep ?? null) === lastSuccessfulStep);
  if (!isThere || !sameContent(data, original.task.data))
    yield violation('I19', `Expected the copy of '${task}' to go on at ${nextStep}, but it begins at ${step}`, copy);
}
