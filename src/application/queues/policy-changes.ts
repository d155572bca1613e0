import { changed } from '../../domain/kernel/changed.js';
import { type Gathering, needsOf, type QueueLimits, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { Retention } from '../../domain/queue/retention.policy.js';
import { changedRetry, type RetryChanges } from '../../domain/task/failure-policy.js';

/** The fields of a policy to change. Omitted fields keep their values. */
export type PolicyChanges = Partial<
  Omit<QueuePolicy, 'gather' | 'retry' | 'limits' | 'retention' | 'preset' | 'vocabulary'>
> & {
  readonly gather?: Partial<Gathering>;
  readonly retry?: RetryChanges;
  readonly limits?: Partial<QueueLimits>;
  readonly retention?: Partial<Retention>;
};

export const changedPolicy = (
  policy: QueuePolicy,
  { gather, retry, limits, retention, ...changes }: PolicyChanges,
): QueuePolicy => ({
  ...changed(policy, changes),
  gather: changed(policy.gather, gather),
  retry: changedRetry(policy.retry, retry),
  limits: changed(policy.limits, limits),
  retention: changed(policy.retention, retention),
});

/** Whether the changes may name resources. Those that a preset names count as named. */
export const namesResources = ({ steps = [] }: PolicyChanges, preset: string | null = null): boolean =>
  preset !== null || steps.some((step) => needsOf(step).length > 0);
