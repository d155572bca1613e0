import { isReserved, reservedLabel } from '../../domain/queue/reserved.policy.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';

/** Throws `Refused` if the queue is reserved and somebody other than the service asks. */
export function assertNotReserved(queue: string, { isService }: Pick<CommandContext, 'isService'>): void {
  if (isReserved(queue) && !isService) throw new Refused({ code: 'QUEUE_RESERVED', queue });
}

/** Throws `Refused`. */
export function assertLabelsNotReserved(
  labels: Readonly<Record<string, string>> | undefined,
  { isService }: Pick<CommandContext, 'isService'>,
): void {
  const label = isService ? undefined : reservedLabel(labels);
  if (label !== undefined) throw new Refused({ code: 'LABEL_RESERVED', label });
}
