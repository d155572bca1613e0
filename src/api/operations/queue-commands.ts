import type { Command } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../../application/kernel/command-context.js';
import { ChangePolicy } from '../../application/queues/change-policy.handler.js';
import { CloseIntake } from '../../application/queues/close-intake.handler.js';
import { DefineQueue } from '../../application/queues/define-queue.handler.js';
import { DeleteQueue } from '../../application/queues/delete-queue.handler.js';
import { FinishQueue } from '../../application/queues/finish-queue.handler.js';
import { OpenIntake } from '../../application/queues/open-intake.handler.js';
import { PauseQueue } from '../../application/queues/pause-queue.handler.js';
import type { PolicyChanges as Changes } from '../../application/queues/policy-changes.js';
import { ReopenQueue } from '../../application/queues/reopen-queue.handler.js';
import { ResumeQueue } from '../../application/queues/resume-queue.handler.js';
import { PolicyChanges } from '../dto/policy.dto.js';
import { NothingMore, PauseWish, QueueDefinition, ReasonGiven } from '../dto/queue.dto.js';
import { Shape } from '../input/shapes.js';
import { isoTime } from './parameters.js';

const definitions = new Shape(QueueDefinition);
const changes = new Shape(PolicyChanges);
const pauses = new Shape(PauseWish);
const reasons = new Shape(ReasonGiven);
const nothing = new Shape(NothingMore);

/** The command on a queue, once it is known in which context it is given. */
export type QueueCommand = (context: CommandContext) => Command<Receipt>;

/** What each operation on one queue makes of its body. Throws `InvalidInput`. */
export const QUEUE_COMMANDS = {
  defineQueue: (queue, body) => {
    const { description = '', policy = {}, preset = null, replace } = definitions.of(body);
    return (context: CommandContext) =>
      new DefineQueue(queue, description, policyChanges(policy), context, preset, replace);
  },
  pauseQueue: (queue, body) => {
    const { reason = null, until = null } = pauses.of(body);
    return (context) => new PauseQueue(queue, reason, until && isoTime(until), context);
  },
  resumeQueue: (queue, body) => {
    nothing.of(body);
    return (context) => new ResumeQueue(queue, context);
  },
  closeIntake: (queue, body) => {
    const { reason = null } = reasons.of(body);
    return (context) => new CloseIntake(queue, reason, context);
  },
  openIntake: (queue, body) => {
    nothing.of(body);
    return (context) => new OpenIntake(queue, context);
  },
  finishQueue: (queue, body) => {
    nothing.of(body);
    return (context) => new FinishQueue(queue, context);
  },
  deleteQueue: (queue, body) => {
    nothing.of(body);
    return (context) => new DeleteQueue(queue, context);
  },
  reopenQueue: (queue, body) => {
    nothing.of(body);
    return (context) => new ReopenQueue(queue, context);
  },
} satisfies Record<string, (queue: string, body: unknown) => QueueCommand>;

export type QueueOperation = keyof typeof QUEUE_COMMANDS;

/** The one that needs to know the version of the policy that its caller has seen. */
export function policyChange(queue: string, body: unknown, ifVersion: number): QueueCommand {
  const policy = policyChanges(changes.of(body));
  return (context) => new ChangePolicy(queue, null, policy, ifVersion, context);
}

/** S1's number for the concurrency by its name. */
function policyChanges({ concurrency, ...rest }: PolicyChanges): Changes {
  if (typeof concurrency !== 'number') return { ...rest, ...(concurrency !== undefined && { concurrency }) };
  return { ...rest, concurrency: concurrency === 0 ? 'serial' : { perServer: concurrency } };
}
