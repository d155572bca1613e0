import { BatchHandle } from '../batch-handle.js';
import { BatchPlan } from '../batch-plan.js';
import type { Caller } from '../caller.js';
import { WaybillError } from '../problems.js';
import type { Handler } from './attempt.js';
import type { Run } from './run.js';
import type { Task } from './task.js';

/** What a planner adds to its batch. Tasks that were added before may be named as prerequisites. */
export type TasksOfBatch = Pick<BatchPlan, 'id' | 'add' | 'graph'>;

/**
 * Plans the batch of a task. Given the same task, it must add the same tasks in the same order: if its worker dies, another
 * one begins again, and finds the tasks that were added before.
 */
export type Planner<Payload = any> = (task: Task<Payload>, plan: TasksOfBatch, run: Run<Payload>) => unknown;

/** The handler of tasks that plan batches. Adds all tasks and opens the batch once the planner has returned. */
export const plannerHandler =
  <Payload>(caller: Caller, planner: Planner<Payload>): Handler<Payload> =>
  async (task, run) => {
    if (task.plans === undefined)
      throw new Error(`Expected a task that plans a batch, but '${task.taskId}' plans none: create it with its batch`);
    const batch = new BatchHandle(caller, task.plans);
    if (await isPlanned(batch)) return;
    const plan = new BatchPlan(caller, { id: batch.id, name: '' });
    const result = await planner(task, plan, run);
    await plan.fill(batch, { signal: run.signal }).catch(async (error: unknown) => {
      if (!(error instanceof WaybillError) || !(await isPlanned(batch))) throw error;
    });
    return result;
  };

/** Whether an earlier attempt has opened the batch. */
async function isPlanned(batch: BatchHandle): Promise<boolean> {
  const { state, error } = await batch.get();
  return error === null && ['running', 'completed', 'failed', 'reporting'].includes(state);
}
