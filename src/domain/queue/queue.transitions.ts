import { type Decision, reject } from '../kernel/decider.js';
import type { QueueCommand, QueueCommandType } from './queue.commands.js';
import { type AwaitedQueue, unfinishedQueues } from './dependencies.js';
import type { QueueEvent } from './queue.events.js';
import type { QueuePolicy } from './queue.policy.js';
import type { QueueRejection } from './queue.rejections.js';
import type { KnownQueue, QueueStatus } from './queue.state.js';

export type QueueDecision = Decision<QueueEvent, QueueRejection>;

/** What follows an event that makes a queue active: nothing, or that it has to wait for others first. */
export function activity(
  name: string,
  { waitsFor }: QueuePolicy,
  awaited: readonly AwaitedQueue[],
): readonly QueueEvent[] {
  const unfinished = unfinishedQueues(waitsFor, awaited);
  return unfinished.length === 0
    ? []
    : [{ type: 'QueueWaiting', version: 1, data: { queue: name, waitsFor: unfinished } }];
}

export const illegal = (command: QueueCommand, { status }: KnownQueue): QueueDecision =>
  reject({ code: 'QUEUE_ILLEGAL_TRANSITION', command: command.type, state: status, allowed: ALLOWED[status] });

const ANYWHERE = ['ChangePolicy', 'SetLimit', 'UnsetLimit', 'CloseIntake', 'OpenIntake', 'DeleteQueue'] as const;

/** The commands that can record something. Defining an existing queue can, as a change of its policy. */
const ALLOWED: Readonly<Record<QueueStatus, readonly QueueCommandType[]>> = {
  active: ['PauseQueue', 'PauseAfterFailures', 'FinishQueue', 'FinishDrained', ...ANYWHERE],
  paused: ['PauseQueue', 'ResumeQueue', 'EndPause', 'FinishQueue', ...ANYWHERE],
  waiting: ['PauseQueue', 'EndWait', 'FinishQueue', ...ANYWHERE],
  finished: ['ReopenQueue', ...ANYWHERE],
  deleted: ['DefineQueue'],
};
