import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus, type Command } from '@nestjs/cqrs';
import type { Json } from '../../domain/kernel/json.js';
import { Refused } from '../../application/kernel/application-error.js';
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
import { GetTask, GetTaskHistory, type EventView, type TaskView } from '../../projections/tasks/tasks.queries.js';
import { ExplainTask, type TaskExplanation } from '../../projections/task-why/explain-task.query.js';
import type { Answer } from '../answer.js';
import { contextOf, type Caller } from '../caller.js';
import { DeletionQuery, ReadQuery } from '../dto/query.dto.js';
import { NothingMore, ReasonGiven } from '../dto/queue.dto.js';
import { Amendment, Overruling, Reprioritisation, Rescheduling, RetryWish, TaskDecision } from '../dto/task.dto.js';
import { flag, QueryShape } from '../input/query-shape.js';
import { Shape } from '../input/shapes.js';
import { isoTime, taskId } from './parameters.js';
import { Reads } from './reads.js';
import { receiptAnswer, type ReceiptBody } from './receipt-answer.js';

const nothing = new Shape(NothingMore);
const reasons = new Shape(ReasonGiven);
const retries = new Shape(RetryWish);
const decisions = new Shape(TaskDecision);
const priorities = new Shape(Reprioritisation);
const dates = new Shape(Rescheduling);
const amendments = new Shape(Amendment);
const overrulings = new Shape(Overruling);
const deletions = new QueryShape(DeletionQuery, { force: flag });
const reading = new QueryShape(ReadQuery);

type Receipts = Promise<Answer<ReceiptBody>>;

/** An operator's view of one task, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class TaskOperations {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

  getTask(id: string, query: unknown): Promise<Answer<TaskView>> {
    const task = taskId(id);
    const { minPosition } = reading.of(query);
    return this.reads.from('tasks', minPosition, async () => found(await this.queries.execute(new GetTask(task))));
  }

  getTaskExplanation(id: string, query: unknown): Promise<Answer<TaskExplanation>> {
    const task = taskId(id);
    const { minPosition } = reading.of(query);
    return this.reads.from('tasks', minPosition, async () => found(await this.queries.execute(new ExplainTask(task))));
  }

  getTaskHistory(id: string, query: unknown): Promise<Answer<{ items: readonly EventView[] }>> {
    const task = taskId(id);
    const { minPosition } = reading.of(query);
    return this.reads.from('tasks', minPosition, async () => ({
      items: found(await this.queries.execute(new GetTaskHistory(task))),
    }));
  }

  submitTask(id: string, body: unknown, caller: Caller): Receipts {
    nothing.of(body);
    return this.command('submitTask', id, body, caller, (task, context) => new SubmitTask(task, context));
  }

  holdTask(id: string, body: unknown, caller: Caller): Receipts {
    const { reason = null } = reasons.of(body);
    return this.command('holdTask', id, body, caller, (task, context) => new HoldTask(task, reason, context));
  }

  releaseTask(id: string, body: unknown, caller: Caller): Receipts {
    nothing.of(body);
    return this.command('releaseTask', id, body, caller, (task, context) => new ReleaseTask(task, context));
  }

  retryTask(id: string, body: unknown, caller: Caller): Receipts {
    const { step = null, override = false } = retries.of(body);
    return this.command('retryTask', id, body, caller, (task, context) => new RetryTask(task, step, override, context));
  }

  decideTask(id: string, body: unknown, caller: Caller): Receipts {
    const { decision, reason = null } = decisions.of(body);
    return this.command(
      'decideTask',
      id,
      body,
      caller,
      (task, context) => new DecideTask(task, decision, reason, context),
    );
  }

  cancelTask(id: string, body: unknown, caller: Caller): Receipts {
    const { reason = null } = reasons.of(body);
    return this.command('cancelTask', id, body, caller, (task, context) => new CancelTask(task, reason, context));
  }

  abortTask(id: string, body: unknown, caller: Caller): Receipts {
    const { reason = null } = reasons.of(body);
    return this.command('abortTask', id, body, caller, (task, context) => new AbortTask(task, reason, context));
  }

  prioritiseTask(id: string, body: unknown, caller: Caller): Receipts {
    const { priority } = priorities.of(body);
    return this.command(
      'prioritiseTask',
      id,
      body,
      caller,
      (task, context) => new ReprioritiseTask(task, priority, context),
    );
  }

  rescheduleTask(id: string, body: unknown, caller: Caller): Receipts {
    const { dueAt } = dates.of(body);
    const due = dueAt && isoTime(dueAt);
    return this.command('rescheduleTask', id, body, caller, (task, context) => new RescheduleTask(task, due, context));
  }

  amendTask(id: string, body: unknown, caller: Caller): Receipts {
    const { payload } = amendments.of(body);
    return this.command(
      'amendTask',
      id,
      body,
      caller,
      (task, context) => new AmendPayload(task, payload as Json, context),
    );
  }

  overruleTask(id: string, body: unknown, caller: Caller): Receipts {
    const { verdict, reason } = overrulings.of(body);
    return this.command(
      'overruleTask',
      id,
      body,
      caller,
      (task, context) => new OverruleTask(task, verdict, reason, context),
    );
  }

  deleteTask(id: string, query: unknown, caller: Caller): Receipts {
    const { force = false } = deletions.of(query);
    return this.command('deleteTask', id, { force }, caller, (task, context) => new DeleteTask(task, force, context));
  }

  private async command(
    operation: string,
    id: string,
    request: unknown,
    caller: Caller,
    of: (task: string, context: CommandContext) => Command<Receipt>,
  ): Receipts {
    const task = taskId(id);
    const context = contextOf(caller, operation, { task, request });
    return receiptAnswer(await this.commands.execute(of(task, context)));
  }
}

function found<T>(view: T | null): T {
  if (view === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
  return view;
}
