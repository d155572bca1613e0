import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { TaskEnds } from '../../application/history/task-ends.js';
import { Refused } from '../../application/kernel/application-error.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { GetTaskLog, type TaskLogPage as Found } from '../../projections/tasks/tasks.queries.js';
import { TaskLogPage, TaskLogQuery } from '../dto/task-log.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import { Stopping } from '../operations/stopping.js';
import type { Call } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { ApiError } from '../problems/api-error.js';

/** What handlers said while they ran a task. */
@ApiTags('tasks')
@Controller('v1/tasks/:id')
export class TaskLogController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ends: TaskEnds,
    private readonly wakeUps: WakeUps,
    private readonly stopping: Stopping,
  ) {}

  @Get('log')
  @QueryEndpoint({
    on: 'task',
    waits: true,
    summary: 'Read what the handlers of a task said',
    onlyPresent: 'each line has its time and its attempt',
    description:
      'The last 1000 lines of the task, each for 14 days. To follow them, ask again with `nextCursor` and `waitMs` until `ended`: an answer comes as soon as there is a line, or the task has ended.',
    query: TaskLogQuery,
    answers: TaskLogPage,
    refuses: ['TASK_NOT_FOUND', 'TOO_MANY_WAITING'],
  })
  async getTaskLog({ on: task, query, signal }: Call<unknown, TaskLogQuery>) {
    const { cursor = null, limit = PAGE, waitMs = 0 } = query;
    const until = this.stopping.or(signal);
    const look = () => this.queries.execute(new GetTaskLog(task, cursor, limit)).catch(asInvalidInput);
    const isEnough = (found: Found | null): boolean => found === null || found.ended || found.items.length > 0;
    const patience = { waitMs, signal: until, also: (wake: () => void) => this.onLinesOf(task, wake) };
    const found = await this.ends.look(task, look, isEnough, patience);
    if (found === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
    if (!isEnough(found) && until.reason instanceof ApiError) throw until.reason;
    return { body: found };
  }

  private onLinesOf(task: string, wake: () => void): () => void {
    return this.wakeUps.onTaskSaid((said) => void ((said === task || said === '*') && wake()));
  }
}
