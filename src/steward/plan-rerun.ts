import type { TaskDetails, TasksOfBatch, Waybill } from '@waybill/client';

/** Tasks that are read at the same time. */
const AT_ONCE = 20;

/** Adds a copy of each task of a batch that ended without success. */
export async function planRerun(waybill: Waybill, of: string, plan: TasksOfBatch): Promise<{ readonly tasks: number }> {
  const ids = await incompleteOf(waybill, of);
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const tasks = await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => waybill.task(id).get()));
    for (const task of tasks) plan.add(task.queue, task.payload, copyOf(task));
  }
  return { tasks: ids.length };
}

/** In the order of their ids, so that a planner that begins again adds the same copies. */
async function incompleteOf(waybill: Waybill, batch: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const state of ['failed', 'aborted'] as const)
    for await (const { id } of waybill.tasks.list({ batch, state })) ids.push(id);
  return ids.sort();
}

function copyOf({ kind, key, reference, priority, labels, description }: TaskDetails) {
  return {
    kind,
    priority,
    labels,
    ...(key !== null && { key }),
    ...(reference !== null && { reference }),
    ...(description !== null && { description }),
  };
}
