import { AssertionError } from 'node:assert';
import type { TaskSummary, Waybill } from '@waybill/client';

export interface EnqueuedTask<Payload = unknown> extends TaskSummary {
  readonly payload: Payload;
}

export async function enqueuedIn<Payload>(waybill: Waybill, queue: string): Promise<readonly EnqueuedTask<Payload>[]> {
  const tasks: EnqueuedTask<Payload>[] = [];
  for await (const task of waybill.tasks.list({ queue }))
    tasks.push({ ...task, payload: (await waybill.task(task.id).payload()) as Payload });
  return tasks;
}

export async function assertEnqueued(waybill: Waybill, queue: string, payload?: unknown): Promise<void> {
  const tasks = await enqueuedIn(waybill, queue);
  if (tasks.some((task) => payload === undefined || has(task.payload, payload))) return;
  const found = tasks.map((task) => JSON.stringify(task.payload)).join(', ');
  throw new AssertionError({
    message: `Expected a task in queue '${queue}'${payload === undefined ? '' : ` with ${JSON.stringify(payload)}`}, but it has ${found === '' ? 'none' : found}`,
    actual: tasks.map((task) => task.payload),
    expected: payload,
  });
}

/** Objects may have more fields than expected; lists have as many elements. */
function has(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(value, expected);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(expected)) return false;
  if (Array.isArray(expected) && expected.length !== (value as unknown[]).length) return false;
  return Object.entries(expected).every(([name, one]) => has((value as Record<string, unknown>)[name], one));
}
