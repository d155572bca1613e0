import { Controller, Get, Optional } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { copyOf } from '../../application/batches/rerun-ids.js';
import { Refused } from '../../application/kernel/application-error.js';
import { OutsidePayloads } from '../../application/kernel/outside-payloads.js';
import { HistoryReader } from '../../application/history/history-reader.js';
import { ExplainTaskAsOf } from '../../projections/task-why/explain-task-as-of.query.js';
import { ExplainTask, type TaskExplanation as Explained } from '../../projections/task-why/explain-task.query.js';
import { ExplainWait } from '../../projections/task-why/wait/explain-wait.query.js';
import {
  GetTask,
  GetTaskAsOf,
  GetTaskHistory,
  GetTaskHistoryAsOf,
  ListTasks,
  ListTasksAsOf,
  type TaskFilter,
  type TaskView,
} from '../../projections/tasks/tasks.queries.js';
import { GetTaskGraph } from '../../projections/task-graph/graph.queries.js';
import { GetTaskGraphAsOf } from '../../projections/task-graph/graph-as-of.queries.js';
import { hiding } from '../../projections/task-graph/hidden.js';
import { TaskGraph, TaskGraphQuery } from '../dto/batch.dto.js';
import { EventList } from '../dto/event.dto.js';
import { TaskExplanation } from '../dto/explanation.dto.js';
import { type PageQuery, PastPageQuery, PastQuery, TaskQuery } from '../dto/query.dto.js';
import { TaskDetails, TaskPage, TaskPayload } from '../dto/task.dto.js';
import { TaskWait } from '../dto/wait.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import { InvalidInput } from '../input/invalid-input.js';
import type { Call } from '../operations/call.js';
import { explanationOf, idsIn, withoutIds } from '../operations/explanation.js';
import { PAGE } from '../operations/pages.js';
import { asReadProblem, PastReads } from '../operations/past-reads.js';
import { Reads } from '../operations/reads.js';
import { withoutOutside } from '../operations/shown-payload.js';
import { linked, TraceLinks } from '../operations/trace-links.js';
import { Scopes } from '../operations/scopes.js';
import { idsInWait, untoldInWait, waitOf, waitWithoutIds } from '../operations/waits.js';
import { queuesOfSearch } from '../operations/search.js';
import { filterOf } from '../operations/task-filter.js';
import { renameIn } from '../operations/queue-ids.js';

@ApiTags('tasks')
@Controller('v1')
export class TasksController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly past: PastReads,
    private readonly history: HistoryReader,
    private readonly scopes: Scopes,
    private readonly payloads: OutsidePayloads,
    @Optional() private readonly traces?: TraceLinks,
  ) {}

  @Get('tasks')
  @QueryEndpoint({
    summary: 'List tasks',
    queues: ({ query }: Call<unknown, TaskQuery>) => queuesOfSearch(query),
    renameQueues: ({ query }: Call<unknown, TaskQuery>, name) => renameIn([query], name),
    description:
      'In the order of their ids: those that Waybill makes follow the time of the submission, others (of the caller, or derived, as in batches and imports) do not. With `state=failed`, the latest failure first; with `sort=deadline`, the earliest deadline first; with `sort=newest`, the greatest id first. As of a moment (`asOf`) always by id. A page looks at a bounded number of tasks, so it may have fewer than `limit`, even none, and go on.',
    query: TaskQuery,
    answers: TaskPage,
    refuses: ['QUEUE_NOT_FOUND', 'HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  listTasks({ query: { cursor, limit, minPosition, asOf, ...filter } }: Call<unknown, TaskQuery>) {
    const pages = { cursor, limit, minPosition };
    return asOf === undefined ? this.page(filterOf(filter), pages) : this.pageAsOf(asOf, filterOf(filter), pages);
  }

  @Get('queues/:queue/failed')
  @QueryEndpoint({
    on: 'queue',
    summary: "List a queue's failed tasks",
    description: 'The latest failure comes first; as of a moment (`asOf`), they are in the order of their ids.',
    query: PastPageQuery,
    answers: TaskPage,
    refuses: ['QUEUE_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  listFailedTasks({ on: queue, query: { asOf, ...pages } }: Call<unknown, PastPageQuery>) {
    const filter = { queue, state: 'failed' } as const;
    return asOf === undefined ? this.page(filter, pages) : this.pageAsOf(asOf, filter, pages);
  }

  @Get('tasks/:id')
  @QueryEndpoint({
    on: 'task',
    summary: 'Show a task',
    query: PastQuery,
    answers: TaskDetails,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE', 'HISTORY_NOT_READY'],
  })
  getTask({ on: task, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'TASK_NOT_FOUND' } }, async (moment) => {
        const { view, notRecorded } = await this.queries.execute(new GetTaskAsOf(task, moment, copyOf));
        return { view: this.shown(view), notRecorded };
      });
    return this.reads.from('tasks', minPosition, async () =>
      this.shown(found(await this.queries.execute(new GetTask(task, copyOf)))),
    );
  }

  private readonly shown = (view: TaskView) => linked(withoutOutside(view), this.traces);

  @Get('tasks/:id/payload')
  @QueryEndpoint({
    on: 'task',
    summary: "Read a task's payload",
    description:
      'Including amendments, and also if it is stored outside the log, which nothing else reads but claims: then it may be gone, changed or out of reach. Null after an erasure.',
    query: PastQuery,
    answers: TaskPayload,
    refuses: [
      'TASK_NOT_FOUND',
      'STREAM_UNREADABLE',
      'HISTORY_NOT_READY',
      'PAYLOAD_MISSING',
      'PAYLOAD_CHANGED',
      'PAYLOAD_STORE_UNAVAILABLE',
    ],
  })
  getTaskPayload({ on: task, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    const payloadOf = async ({ payload }: TaskView) => ({ payload: await this.payloads.read(task, payload) });
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'TASK_NOT_FOUND' } }, async (moment) => {
        const { view } = await this.queries.execute(new GetTaskAsOf(task, moment, copyOf));
        return { view: await payloadOf(view) };
      });
    return this.reads.from('tasks', minPosition, async () =>
      payloadOf(found(await this.queries.execute(new GetTask(task, copyOf)))),
    );
  }

  @Get('tasks/:id/why')
  @QueryEndpoint({
    on: 'task',
    summary: 'Explain why a task is not running',
    description:
      'Lists every reason, from the same data that a claim uses. As of a moment (`asOf`): the reasons of then, by the policy of then and the rules of today, and no commands. An API key for some queues sees of what is outside of them only the state.',
    query: PastQuery,
    answers: TaskExplanation,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE', 'HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  getTaskExplanation(call: Call<unknown, PastQuery>) {
    const { on: task, query } = call;
    const { asOf, minPosition } = query;
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'TASK_NOT_FOUND' } }, async (moment) => {
        const { view, notRecorded } = await this.queries.execute(new ExplainTaskAsOf(task, moment));
        return { view: await this.explained(view, call), notRecorded };
      });
    return this.reads.from('tasks', minPosition, async () =>
      this.explained(found(await this.queries.execute(new ExplainTask(task))), call),
    );
  }

  @Get('tasks/:id/wait')
  @QueryEndpoint({
    on: 'task',
    summary: 'Show where the waiting time of a task went',
    description:
      'Every time in which it was open and did not run, in intervals with the reason that `why` would have given: they add up to the wait to the millisecond. Read from the log, at the price of the history of the task and of the events of its queue while nothing else kept it. An API key for some queues sees of what is outside of them only the state.',
    query: PastQuery,
    answers: TaskWait,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE', 'HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  getTaskWait(call: Call<unknown, PastQuery>) {
    const { on: task, query } = call;
    const { asOf, minPosition } = query;
    return this.past.asOf({ asOf, minPosition, absence: { code: 'TASK_NOT_FOUND' } }, async (moment) => {
      const explained = await this.queries.execute(new ExplainWait(task, moment));
      const wait = waitOf(explained);
      const view = waitWithoutIds(wait, await this.scopes.outside(idsInWait(wait), call));
      return { view, notRecorded: untoldInWait(explained) };
    });
  }

  @Get('tasks/:id/history')
  @QueryEndpoint({
    on: 'task',
    summary: 'Show everything that happened to a task',
    query: PastQuery,
    answers: EventList,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE', 'HISTORY_NOT_READY'],
  })
  getTaskHistory({ on: task, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'TASK_NOT_FOUND' } }, async (moment) => ({
        view: { items: await this.queries.execute(new GetTaskHistoryAsOf(task, moment)) },
      }));
    return this.reads.from('tasks', minPosition, async () => ({
      items: found(await this.queries.execute(new GetTaskHistory(task))),
    }));
  }

  @Get('tasks/:id/graph')
  @QueryEndpoint({
    on: 'task',
    summary: 'Show what a task waits for, and what waits for it',
    description: 'An API key for some queues sees of what is outside of them only the state.',
    query: TaskGraphQuery,
    answers: TaskGraph,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE', 'HISTORY_NOT_READY'],
  })
  async getTaskGraph(call: Call<unknown, TaskGraphQuery>) {
    const { on: task, query } = call;
    const { asOf, minPosition, depth } = query;
    const covered = await this.scopes.coveredBy(call);
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'TASK_NOT_FOUND' } }, async (moment) => {
        const { view, notRecorded } = await this.queries.execute(new GetTaskGraphAsOf(task, depth, moment));
        return { view: hiding(view, covered), notRecorded };
      });
    return this.reads.from('tasks', minPosition, async () =>
      hiding(found(await this.queries.execute(new GetTaskGraph(task, depth))), covered),
    );
  }

  private async explained(view: Explained, call: Call<unknown, PastQuery>) {
    const explanation = explanationOf(view);
    return withoutIds(explanation, await this.scopes.outside(idsIn(explanation), call));
  }

  /** A further page is of the moment that the first one was of. */
  private pageAsOf(asOf: string, { sort, ...filter }: TaskFilter, { cursor = null, limit = PAGE, minPosition }: Pages) {
    if (sort !== undefined)
      throw new InvalidInput([{ pointer: '#/query/sort', detail: 'Expected no order beside asOf, but got one' }]);
    if (filter.policyVersion !== undefined)
      throw new InvalidInput([
        { pointer: '#/query/policyVersion', detail: 'Expected no policyVersion beside asOf, but got one' },
      ]);
    const absence = { code: 'QUEUE_NOT_FOUND', queue: filter.queue ?? '' } as const;
    return this.past.asOf({ asOf, minPosition, absence, cursor }, async (moment) => ({
      view: await this.queries
        .execute(new ListTasksAsOf(filter, moment, cursor, limit))
        .catch(asReadProblem('#/query/q')),
      notRecorded: ['lastHeartbeatAt', 'percent'],
    }));
  }

  /** The group of a task's failure is known as of another read model, which follows the log. */
  private async page(filter: TaskFilter, pages: Pages) {
    if (filter.group === undefined) return this.pageOf(filter, pages);
    const grouped = await this.reads.from('failure-groups', pages.minPosition, () => Promise.resolve(null));
    const listed = await this.pageOf(filter, pages);
    return grouped.asOf! < listed.asOf! ? { ...listed, asOf: grouped.asOf! } : listed;
  }

  private pageOf(filter: TaskFilter, { cursor = null, limit = PAGE, minPosition }: Pages) {
    return this.reads.from('tasks', minPosition, async () => {
      const page = await this.queries.execute(new ListTasks(filter, cursor, limit)).catch(asReadProblem('#/query/q'));
      // An unknown queue can only give an empty list, so only that is checked.
      if (page.items.length === 0 && filter.queue !== undefined) await this.history.assertThere(filter);
      return page;
    });
  }
}

type Pages = Pick<PageQuery, 'minPosition' | 'limit'> & { readonly cursor?: string | null };

function found<T>(view: T | null): T {
  if (view === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
  return view;
}
