import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { TaskEnds } from '../../application/history/task-ends.js';
import { Refused } from '../../application/kernel/application-error.js';
import {
  GetTaskResult,
  ListResults,
  type PrerequisiteResult as Listed,
  type TaskResult as Found,
} from '../../projections/tasks/tasks.queries.js';
import { PageQuery } from '../dto/query.dto.js';
import { PrerequisiteResult, PrerequisiteResultPage, ResultQuery, TaskResult } from '../dto/result.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import { Stopping } from '../operations/stopping.js';
import type { Call } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { Reads } from '../operations/reads.js';
import { Scopes } from '../operations/scopes.js';
import { ApiError } from '../problems/api-error.js';

/** What tasks have come to. */
@ApiTags('tasks')
@Controller('v1/tasks/:id')
export class ResultsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly ends: TaskEnds,
    private readonly reads: Reads,
    private readonly scopes: Scopes,
    private readonly stopping: Stopping,
  ) {}

  @Get('result')
  @QueryEndpoint({
    on: 'task',
    waits: true,
    summary: 'Wait for the result of a task',
    onlyPresent: '`GET /v1/tasks/{id}` with `asOf` has the result of then',
    description:
      'Answers as soon as the task has ended, and after `waitMs` at the latest: then `ended` is false, and what becomes of the task is unknown. Read from the log, so it reflects every command that was answered before.',
    query: ResultQuery,
    answers: TaskResult,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE', 'TOO_MANY_WAITING'],
  })
  async getTaskResult({ on: task, query, signal }: Call<unknown, ResultQuery>) {
    const { waitMs = 0 } = query;
    const look = () => this.queries.execute(new GetTaskResult(task));
    const isEnough = (found: Found | null): boolean => found === null || found.ended;
    const until = this.stopping.or(signal);
    const found = await this.ends.look(task, look, isEnough, { waitMs, signal: until });
    if (found === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
    // The service stops, or the wait ended with its API key.
    if (!found.ended && until.reason instanceof ApiError) throw until.reason;
    return { body: found };
  }

  @Get('prerequisites')
  @QueryEndpoint({
    on: 'task',
    permission: ['read', 'work'],
    summary: 'List the results of what a task waited for',
    onlyPresent: '`GET /v1/tasks/{id}/graph` with `asOf` has what it waited for then',
    description:
      'For its worker, above all. A page has as many results as fit in 4 MiB with the histories of their tasks, so it may have fewer than `limit`. An API key for some queues sees of what is outside of them only the state.',
    query: PageQuery,
    answers: PrerequisiteResultPage,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE'],
  })
  listResults(call: Call<unknown, PageQuery>) {
    const { minPosition, cursor = null, limit = PAGE } = call.query;
    return this.reads.from('tasks', minPosition, async () => {
      const page = await this.queries.execute(new ListResults(call.on, cursor, limit)).catch(asInvalidInput);
      if (page === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
      const outside = await this.scopes.outside(
        page.items.map(({ id }) => id),
        call,
      );
      return { ...page, items: page.items.map((one) => (outside.has(one.id) ? onlyState(one) : one)) };
    });
  }
}

const onlyState = ({ is, state }: Listed): PrerequisiteResult => ({
  is,
  state,
  queue: null,
  kind: null,
  key: null,
  reference: null,
  result: null,
});
