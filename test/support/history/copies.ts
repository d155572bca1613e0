import { sameContent } from '../../../src/domain/kernel/json.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { Rerun } from '../../../src/domain/task/task.events.js';
import type { TaskState } from '../../../src/domain/task/task.state.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { isOfTask, type Log, type TaskRecord, type Violation, violation } from './history.js';
import { evolveTask } from './rules.js';

/**
 * I14 and I19: a task is copied once at most, after it has failed. The copy begins where the task stopped, with its data, and
 * if it succeeds, the task is superseded.
 */
export function* copyViolations(log: Log): Generator<Violation> {
  const states = new Map<string, TaskState>();
  const copies = new Map<string, TaskRecord>();
  for (const recorded of log.events.filter(isOfTask)) {
    const rerun = rerunIn(recorded);
    if (rerun) {
      const before = copies.get(rerun.task);
      if (before) yield violation('I14', `Expected '${rerun.task}' to have one copy, but it has two`, before, recorded);
      yield* begins(rerun, states.get(rerun.task), recorded);
      copies.set(rerun.task, recorded);
    }
    const id = taskIdOf(recorded.stream);
    states.set(id, evolveTask(states.get(id) ?? taskDecider.initialState, recorded.event));
  }
  for (const [original, copy] of copies)
    if (isGood(states.get(taskIdOf(copy.stream))) && states.get(original)?.status === 'failed')
      yield violation('I14', `Expected '${original}' to be superseded, because its copy succeeded`, copy);
}

const rerunIn = ({ event }: TaskRecord): Rerun | undefined =>
  event.type === 'TaskEnqueued' ? event.data.rerunOf : undefined;

const isGood = (state: TaskState | undefined): boolean =>
  state?.status === 'succeeded' || state?.status === 'superseded';

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
