import { createHash } from 'node:crypto';
import type { NewTask, PolicyChanges, QueueHandle, Task } from '@waybill/client';

export const QUEUE = 'archive-ingest';

const DESCRIPTION = 'Files to read into the catalogue; a task is keyed by its path.';

/**
 * One task per path runs at a time, at most one more waits, and a failure remains until the path succeeds. A file that
 * is re-added while it is being read is read once more afterwards. Nothing is retried automatically, because a file
 * that did not change would fail again.
 */
const POLICY: PolicyChanges = {
  keyRequired: true,
  duplicatePending: 'return-existing',
  clearFailuresOnSuccess: true,
  onFailure: 'fail',
  leaseMs: 30_000,
};

/** Creates the queue, or changes that of an earlier version, because this program needs this policy. */
export async function defineQueue(queue: QueueHandle): Promise<void> {
  await queue.define(POLICY, { description: DESCRIPTION, replace: true });
}

/** Used only if the path is too long for a key. */
interface LongPath {
  readonly path: string;
}

/** The longest key that the service accepts. */
const KEY_CHARACTERS = 512;

export function taskOf(path: string): NewTask {
  if (path.length <= KEY_CHARACTERS) return { kind: 'file', key: path };
  const payload: LongPath = { path };
  return { kind: 'file', key: `sha256:${createHash('sha256').update(path).digest('hex')}`, payload };
}

export const pathOf = ({ key, payload }: Pick<Task, 'key' | 'payload'>): string =>
  (payload as LongPath | null)?.path ?? key!;
