import { listOf } from '../../../src/domain/task/gathered.events.js';
import type { Json } from '../../../src/domain/kernel/json.js';
import {
  type EnqueueAttempt,
  type History,
  type Log,
  push,
  type TaskRecord,
  type Violation,
  violation,
} from './history.js';

/** A run whose producers name their submissions: what they gather has `submission`, the id under which it was submitted. */
interface Named {
  readonly submission?: string;
}

/** I1: a submission is in exactly one task of a queue that gathers, once, and in the one that was answered. */
export function* gatheredViolations({ operations }: History, log: Log): Generator<Violation> {
  const found = submissionsIn(log);
  for (const [id, [first, ...more]] of found)
    if (more.length > 0) yield violation('I1', `Expected submission '${id}' in one task, once`, first!, ...more);
  for (const one of operations)
    if (one.kind === 'enqueue' && one.outcome === 'ok' && gathers(log, one)) yield* lost(one, found);
}

function* lost({ taskId, answer }: EnqueueAttempt, found: ReadonlyMap<string, TaskRecord[]>): Generator<Violation> {
  const [record] = found.get(taskId) ?? [];
  const { id, position } = answer!;
  if (record?.stream !== `task-${id}` || record.position !== BigInt(position))
    yield violation(
      'I1',
      `Expected submission '${taskId}' in task '${id}', at position ${position}`,
      ...(record ? [record] : []),
    );
}

const gathers = (log: Log, { answer }: EnqueueAttempt): boolean => {
  const first = log.tasks.get(answer!.id)?.[0]?.event;
  return first?.type === 'TaskEnqueued' && first.data.gathers !== undefined && nameIn(first.data.payload) !== null;
};

function submissionsIn(log: Log): ReadonlyMap<string, TaskRecord[]> {
  const found = new Map<string, TaskRecord[]>();
  for (const records of log.tasks.values())
    for (const record of records) {
      const { type, data } = record.event;
      const named = type === 'TaskEnqueued' || type === 'TaskSubmissionGathered' ? nameIn(data.payload) : null;
      if (named !== null) push(found, named, record);
    }
  return found;
}

/** The first of a list, or what came alone. */
function nameIn(payload: Json | undefined): string | null {
  const [first] = listOf(payload ?? null);
  return (first as Named | null | undefined)?.submission ?? null;
}
