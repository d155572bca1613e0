import type { Command } from '@nestjs/cqrs';
import type { Json } from '../../domain/kernel/json.js';
import type { CommandContext, Receipt } from '../../application/kernel/command-context.js';
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
import { NothingMore, ReasonGiven } from '../dto/queue.dto.js';
import { Amendment, Overruling, Reprioritisation, Rescheduling, RetryWish, TaskDecision } from '../dto/task.dto.js';
import { flag, QueryShape } from '../input/query-shape.js';
import { Shape } from '../input/shapes.js';
import { isoTime } from './parameters.js';

const nothing = new Shape(NothingMore);
const reasons = new Shape(ReasonGiven);
const retries = new Shape(RetryWish);
const decisions = new Shape(TaskDecision);
const priorities = new Shape(Reprioritisation);
const dates = new Shape(Rescheduling);
const amendments = new Shape(Amendment);
const overrulings = new Shape(Overruling);
export const deletions = new QueryShape(DeletionQuery, { force: flag });

/** The command on a task, once it is known in which context it is given. */
export type TaskCommand = (context: CommandContext) => Command<Receipt>;

/** What each operation on one task makes of its body, or (`deleteTask`) of its query. Throws `InvalidInput`. */
export const TASK_COMMANDS = {
  submitTask: (task, body) => {
    nothing.of(body);
    return (context) => new SubmitTask(task, context);
  },
  holdTask: (task, body) => {
    const { reason = null } = reasons.of(body);
    return (context) => new HoldTask(task, reason, context);
  },
  releaseTask: (task, body) => {
    nothing.of(body);
    return (context) => new ReleaseTask(task, context);
  },
  retryTask: (task, body) => {
    const { step = null, override = false } = retries.of(body);
    return (context) => new RetryTask(task, step, override, context);
  },
  decideTask: (task, body) => {
    const { decision, reason = null } = decisions.of(body);
    return (context) => new DecideTask(task, decision, reason, context);
  },
  cancelTask: (task, body) => {
    const { reason = null } = reasons.of(body);
    return (context) => new CancelTask(task, reason, context);
  },
  abortTask: (task, body) => {
    const { reason = null } = reasons.of(body);
    return (context) => new AbortTask(task, reason, context);
  },
  prioritiseTask: (task, body) => {
    const { priority } = priorities.of(body);
    return (context) => new ReprioritiseTask(task, priority, context);
  },
  rescheduleTask: (task, body) => {
    const { dueAt } = dates.of(body);
    return (context) => new RescheduleTask(task, dueAt && isoTime(dueAt), context);
  },
  amendTask: (task, body) => {
    const { payload } = amendments.of(body);
    return (context) => new AmendPayload(task, payload as Json, context);
  },
  overruleTask: (task, body) => {
    const { verdict, reason } = overrulings.of(body);
    return (context) => new OverruleTask(task, verdict, reason, context);
  },
  deleteTask: (task, query) => {
    const { force = false } = deletions.of(query);
    return (context) => new DeleteTask(task, force, context);
  },
} satisfies Record<string, (task: string, body: unknown) => TaskCommand>;

export type TaskOperation = keyof typeof TASK_COMMANDS;
