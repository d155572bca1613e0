import { isReserved } from '../../domain/queue/reserved.policy.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';

/** Throws `Refused` if the queue is reserved and somebody other than the service asks. */
export function assertNotReserved(queue: string, { isService }: Pick<CommandContext, 'isService'>): void {
  if (isReserved(queue) && !isService) throw new Refused({ code: 'QUEUE_RESERVED', queue });
}
