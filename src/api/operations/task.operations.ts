import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Refused } from '../../application/kernel/application-error.js';
import { GetTask, GetTaskHistory, type EventView, type TaskView } from '../../projections/tasks/tasks.queries.js';
import { ExplainTask } from '../../projections/task-why/explain-task.query.js';
import type { Answer } from '../answer.js';
import { contextOf, type Caller } from '../caller.js';
import { ReadQuery } from '../dto/query.dto.js';
import { QueryValidator } from '../input/query-validator.js';
import { type Explanation, explanationOf } from './explanation.js';
import { taskId } from './parameters.js';
import { Reads } from './reads.js';
import { receiptAnswer, type ReceiptBody } from './receipt-answer.js';
import { deletions, TASK_COMMANDS, type TaskOperation } from './task-commands.js';

const reading = new QueryValidator(ReadQuery);

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

  getTaskExplanation(id: string, query: unknown): Promise<Answer<Explanation>> {
    const task = taskId(id);
    const { minPosition } = reading.of(query);
    return this.reads.from('tasks', minPosition, async () =>
      explanationOf(found(await this.queries.execute(new ExplainTask(task)))),
    );
  }

  getTaskHistory(id: string, query: unknown): Promise<Answer<{ items: readonly EventView[] }>> {
    const task = taskId(id);
    const { minPosition } = reading.of(query);
    return this.reads.from('tasks', minPosition, async () => ({
      items: found(await this.queries.execute(new GetTaskHistory(task))),
    }));
  }

  submitTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('submitTask', id, body, caller);
  }

  holdTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('holdTask', id, body, caller);
  }

  releaseTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('releaseTask', id, body, caller);
  }

  retryTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('retryTask', id, body, caller);
  }

  decideTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('decideTask', id, body, caller);
  }

  cancelTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('cancelTask', id, body, caller);
  }

  abortTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('abortTask', id, body, caller);
  }

  prioritiseTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('prioritiseTask', id, body, caller);
  }

  rescheduleTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('rescheduleTask', id, body, caller);
  }

  amendTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('amendTask', id, body, caller);
  }

  overruleTask(id: string, body: unknown, caller: Caller): Receipts {
    return this.command('overruleTask', id, body, caller);
  }

  deleteTask(id: string, query: unknown, caller: Caller): Receipts {
    return this.command('deleteTask', id, deletions.of(query), caller);
  }

  private async command(operation: TaskOperation, id: string, request: unknown, caller: Caller): Receipts {
    const task = taskId(id);
    const command = TASK_COMMANDS[operation](task, request);
    return receiptAnswer(await this.commands.execute(command(contextOf(caller, operation, { task, request }))));
  }
}

function found<T>(view: T | null): T {
  if (view === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
  return view;
}
