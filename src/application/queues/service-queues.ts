import { MAIL_QUEUE, WEBHOOK_QUEUE } from '../../domain/queue/reserved.policy.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DefineQueue } from './define-queue.handler.js';
import type { PolicyChanges } from './policy-changes.js';

/** A queue of the service itself, whose tasks the role `steward` works on. */
export interface ServiceQueue {
  readonly name: string;
  readonly description: string;
  readonly policy: PolicyChanges;
}

/** Makes sure that the queue exists, in the name of whoever gave the command that needs it. */
export function definitionOf({ name, description, policy }: ServiceQueue, given: CommandContext): DefineQueue {
  const { idempotencyKey: _ofTheCommand, ...context } = given;
  return new DefineQueue(name, description, policy, { ...context, isService: true });
}

/**
 * The tasks of this queue and of the next are the deliveries. The delays between 22 attempts add up to a day on average, because of
 * the jitter, and to two days at most.
 */
export const DELIVERIES: ServiceQueue = {
  name: WEBHOOK_QUEUE,
  description: 'Webhooks',
  policy: {
    onFailure: 'retry',
    maxLost: 22,
    errorStacks: false,
    retry: {
      maxAttempts: 22,
      classes: ['application', 'transient', 'bug'],
      backoff: { kind: 'exponential', baseMs: 15_000, factor: 2, capMs: 4 * 3_600_000, jitter: 'full' },
    },
  },
};

export const MAILS: ServiceQueue = { ...DELIVERIES, name: MAIL_QUEUE, description: 'Mail' };

/** The queue of deliveries with this name; absent if it is another. */
export const deliveryQueue = (name: string): ServiceQueue | undefined =>
  [DELIVERIES, MAILS].find((queue) => queue.name === name);
