import type { QueueLimits, QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { BackoffPolicy, RetryPolicy } from '../../domain/task/failure-policy.js';

/** The fields of a policy that a caller names; those left out stay as they are. */
export type PolicyChanges = Partial<Omit<QueuePolicy, 'retry' | 'limits' | 'preset' | 'vocabulary' | 'commands'>> & {
  readonly retry?: Partial<Omit<RetryPolicy, 'backoff'>> & { readonly backoff?: Partial<BackoffPolicy> };
  readonly limits?: Partial<QueueLimits>;
};

export function changedPolicy(policy: QueuePolicy, changes: PolicyChanges): QueuePolicy {
  const { retry, limits, ...rest } = changes;
  const { backoff, ...retrying } = retry ?? {};
  return {
    ...policy,
    ...given(rest),
    retry: { ...policy.retry, ...given(retrying), backoff: { ...policy.retry.backoff, ...given(backoff ?? {}) } },
    limits: { ...policy.limits, ...given(limits ?? {}) },
  };
}

/** Without the properties that are there but undefined, as a validated request has them. */
function given<T extends object>(changes: T): T {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as T;
}
