import type { FailurePolicy } from '../task/task.commands.js';

/** Everything a queue's owner may decide about it. Stored whole with each version; see docs for the meaning of each field. */
export interface QueuePolicy extends FailurePolicy {
  /** Tasks must carry a key. */
  readonly keyRequired: boolean;
  /** What happens to a second task of a key while one already waits. `allow` lets them line up, one ready at a time. */
  readonly duplicatePending: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';
  /** A success supersedes the failed tasks of its key. */
  readonly clearFailuresOnSuccess: boolean;
  /** `open`: a reference is blocked until its task is succeeded, aborted, superseded or deleted. */
  readonly uniqueReference: 'off' | 'open' | 'always';
  readonly leaseMs: number;
  readonly defaultPriority: number;
  /** Ordered step names every task of this queue runs through; empty for plain tasks. */
  readonly steps: readonly string[];
  readonly limits: QueueLimits;
}

export interface QueueLimits {
  /** Bytes of a task's payload as UTF-8 JSON. */
  readonly payloadBytes: number;
}

export const DEFAULT_POLICY: QueuePolicy = {
  keyRequired: false,
  duplicatePending: 'return-existing',
  clearFailuresOnSuccess: true,
  uniqueReference: 'off',
  onFailure: 'fail',
  retry: {
    maxAttempts: 3,
    classes: ['application', 'transient', 'bug'],
    backoff: { kind: 'exponential', baseMs: 1_000, factor: 2, capMs: 3_600_000, jitter: 'full' },
  },
  maxLost: 3,
  leaseMs: 30_000,
  defaultPriority: 0,
  steps: [],
  limits: { payloadBytes: 262_144 },
};
