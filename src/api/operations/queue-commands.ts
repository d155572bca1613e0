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
import { PolicyChange, type PolicyChanges } from '../dto/policy.dto.js';
import { PauseQueueRequest, QueueDefinition } from '../dto/queue.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { QueryValidator } from '../input/query-validator.js';
import { Validator } from '../input/validator.js';
import { operatorCommand } from './operator-command.js';
import { isoTime } from './parameters.js';

const definitions = new Validator(QueueDefinition);
const changes = new Validator(PolicyChange);
const pauses = new Validator(PauseQueueRequest);
const reasons = new Validator(ReasonRequest);
const deletions = new QueryValidator(ReasonRequest);

/** What each operation on one queue makes of its body, or (`deleteQueue`) of its query. */
export const QUEUE_COMMANDS = {
  defineQueue: operatorCommand(
    definitions,
    (queue, { description = '', policy = {}, preset = null, replace }, context) =>
      new DefineQueue(queue, description, policyChanges(policy), context, preset, replace),
  ),
  pauseQueue: operatorCommand(
    pauses,
    (queue, { reason = null, until = null }, context) =>
      new PauseQueue(queue, reason, until && isoTime(until), context),
  ),
  resumeQueue: operatorCommand(reasons, (queue, _, context) => new ResumeQueue(queue, context)),
  closeIntake: operatorCommand(reasons, (queue, { reason = null }, context) => new CloseIntake(queue, reason, context)),
  openIntake: operatorCommand(reasons, (queue, _, context) => new OpenIntake(queue, context)),
  finishQueue: operatorCommand(reasons, (queue, _, context) => new FinishQueue(queue, context)),
  deleteQueue: operatorCommand(deletions, (queue, _, context) => new DeleteQueue(queue, context)),
  reopenQueue: operatorCommand(reasons, (queue, _, context) => new ReopenQueue(queue, context)),
};

export type QueueOperation = keyof typeof QUEUE_COMMANDS;

/** The one that needs to know the version of the policy that its caller has seen. */
export const policyChange = operatorCommand(changes, (queue, asked, context) => {
  const { reason: _inContext, ...policy } = asked;
  return (ifVersion: number) => new ChangePolicy(queue, null, policyChanges(policy), ifVersion, context);
});

/** S1's number for the concurrency by its name. */
function policyChanges({ concurrency, ...rest }: PolicyChanges): Changes {
  if (typeof concurrency !== 'number') return { ...rest, ...(concurrency !== undefined && { concurrency }) };
  return { ...rest, concurrency: concurrency === 0 ? 'serial' : { perServer: concurrency } };
}
