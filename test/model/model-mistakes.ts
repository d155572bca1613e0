import { isWaiting, type ModelTask } from './model-task.js';
import { areDead, endWaits } from './needs.js';
import type { Operation, QueueModel } from './queue-model.js';

type Before = ReadonlyMap<ModelTask, ModelTask>;

/** Gives the command to the tasks, and carries out what follows. Returns the tasks that it changed, as they were, in the order in which they changed. */
export function mistaken(model: QueueModel, tasks: readonly ModelTask[], operation: Operation): Before {
  const before = new Map([...tasks, ...model.tasks].map((task) => [task, { ...task }]));
  for (const task of tasks) model.operate(task, operation);
  model.sweep();
  endWaits(model.tasks);
  return new Map([...before].filter(([task, was]) => task.status !== was.status || task.request !== was.request));
}

/** A task comes back once nothing that it waits for is aborted, while its batch is not over and nobody else has the waiting place of its key. */
export function takenBack(model: QueueModel, before: Before): Before {
  const left = new Map(before);
  for (let isAtRest = false; !isAtRest;) {
    isAtRest = true;
    for (const [task, was] of left) {
      const status = was.status === 'running' ? 'pending' : was.status;
      // A retry begins waits anew, and its undo leaves that so.
      const back = { ...was, status, awaits: was.awaits && task.awaits } satisfies ModelTask;
      if (!mayReturn(model, task, back)) continue;
      Object.assign(task, back);
      left.delete(task);
      isAtRest = false;
    }
  }
  return left;
}

function mayReturn(model: QueueModel, task: ModelTask, back: ModelTask): boolean {
  if (task.status === 'running') return false;
  if (isWaiting(back) && model.waiting(task.key, task)) return false;
  if (task.status !== 'aborted') return true;
  return !areDead(task.needs) && !(task.batch !== null && model.hasEnded);
}
