import type { Json } from '../../domain/kernel/json.js';
import { AbortTask } from '../../application/tasks/abort-task.handler.js';
import { AmendPayload } from '../../application/tasks/amend-payload.handler.js';
import { CancelTask } from '../../application/tasks/cancel-task.handler.js';
import { DecideTask } from '../../application/tasks/decide-task.handler.js';
import { DeleteTask } from '../../application/tasks/delete-task.handler.js';
import { HoldTask } from '../../application/tasks/hold-task.handler.js';
import { OverruleTask } from '../../application/tasks/overrule-task.handler.js';
import { ReleaseTask } from '../../application/tasks/release-task.handler.js';
import { ReprioritiseTask } from '../../application/tasks/reprioritise-task.handler.js';
import { RescheduleTask } from '../../application/tasks/reschedule-task.handler.js';
import { RetryTask } from '../../application/tasks/retry-task.handler.js';
import { SubmitTask } from '../../application/tasks/submit-task.handler.js';
import { DeletionQuery } from '../dto/query.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import {
  AmendTaskRequest,
  OverruleTaskRequest,
  PrioritiseTaskRequest,
  RescheduleTaskRequest,
  RetryTaskRequest,
  DecideTaskRequest,
} from '../dto/task.dto.js';
import { flag, QueryValidator } from '../input/query-validator.js';
import { Validator } from '../input/validator.js';
import { operatorCommand } from './operator-command.js';
import { isoTime } from './parameters.js';

const reasons = new Validator(ReasonRequest);
const retries = new Validator(RetryTaskRequest);
const decisions = new Validator(DecideTaskRequest);
const priorities = new Validator(PrioritiseTaskRequest);
const dates = new Validator(RescheduleTaskRequest);
const amendments = new Validator(AmendTaskRequest);
const overrulings = new Validator(OverruleTaskRequest);
export const deletions = new QueryValidator(DeletionQuery, { force: flag });

/** What each operation on one task makes of its body, or (`deleteTask`) of its query. */
export const TASK_COMMANDS = {
  submitTask: operatorCommand(reasons, (task, _, context) => new SubmitTask(task, context)),
  holdTask: operatorCommand(reasons, (task, { reason = null }, context) => new HoldTask(task, reason, context)),
  releaseTask: operatorCommand(reasons, (task, _, context) => new ReleaseTask(task, context)),
  retryTask: operatorCommand(
    retries,
    (task, { step = null, override = false }, context) => new RetryTask(task, step, override, context),
  ),
  decideTask: operatorCommand(decisions, (task, { decision }, context) => new DecideTask(task, decision, context)),
  cancelTask: operatorCommand(reasons, (task, { reason = null }, context) => new CancelTask(task, reason, context)),
  abortTask: operatorCommand(reasons, (task, { reason = null }, context) => new AbortTask(task, reason, context)),
  prioritiseTask: operatorCommand(
    priorities,
    (task, { priority }, context) => new ReprioritiseTask(task, priority, context),
  ),
  rescheduleTask: operatorCommand(
    dates,
    (task, { dueAt }, context) => new RescheduleTask(task, dueAt && isoTime(dueAt), context),
  ),
  amendTask: operatorCommand(
    amendments,
    (task, { payload }, context) => new AmendPayload(task, payload as Json, context),
  ),
  overruleTask: operatorCommand(
    overrulings,
    (task, { verdict, reason }, context) => new OverruleTask(task, verdict, reason, context),
  ),
  deleteTask: operatorCommand(deletions, (task, { force = false }, context) => new DeleteTask(task, force, context)),
};

export type TaskOperation = keyof typeof TASK_COMMANDS;
