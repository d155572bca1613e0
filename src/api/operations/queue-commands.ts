import type { Command } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../../application/kernel/command-context.js';
import { CloseIntake } from '../../application/queues/close-intake.handler.js';
import { OpenIntake } from '../../application/queues/open-intake.handler.js';
import { PauseQueue } from '../../application/queues/pause-queue.handler.js';
import { ReopenQueue } from '../../application/queues/reopen-queue.handler.js';
import { ResumeQueue } from '../../application/queues/resume-queue.handler.js';
import { NothingMore, PauseWish, ReasonGiven } from '../dto/queue.dto.js';
import { Shape } from '../input/shapes.js';
import { isoTime } from './parameters.js';

const pauses = new Shape(PauseWish);
const reasons = new Shape(ReasonGiven);
const nothing = new Shape(NothingMore);

/** The command on a queue, once it is known in which context it is given. */
export type QueueCommand = (context: CommandContext) => Command<Receipt>;

/** What each operation that opens or shuts a queue makes of its body. Throws `InvalidInput`. */
export const QUEUE_COMMANDS = {
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
  reopenQueue: (queue, body) => {
    nothing.of(body);
    return (context) => new ReopenQueue(queue, context);
  },
} satisfies Record<string, (queue: string, body: unknown) => QueueCommand>;

export type QueueOperation = keyof typeof QUEUE_COMMANDS;
