import { Controller, Get, Post } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiHeader, ApiTags } from '@nestjs/swagger';
import { withHeartbeat } from '../../application/history/heartbeat.js';
import { HistoryReader } from '../../application/history/history-reader.js';
import { TaskEnds } from '../../application/history/task-ends.js';
import { Refused } from '../../application/kernel/application-error.js';
import { type FollowedTask as Found, GetFollowedTask } from '../../projections/tasks/tasks.queries.js';
import { FollowedTask, FollowToken, FollowTokenRequest } from '../dto/follow.dto.js';
import { QueryEndpoint, StreamEndpoint } from '../http/endpoint.js';
import type { WaybillHttpAdapter } from '../http/http-adapter.js';
import { InvalidInput } from '../input/invalid-input.js';
import { POSITION } from '../input/since.js';
import { Stopping } from '../operations/stopping.js';
import type { Answer } from '../operations/answer.js';
import type { Call } from '../operations/call.js';
import { type EventPage, type EventPages, HEARTBEAT_MS, SERVER_SENT_EVENTS } from '../operations/stream-format.js';
import { ApiError } from '../problems/api-error.js';

/** When a task is looked at again of which nothing was told. */
const SILENCE_MS = 600_000;
const USUAL_MS = 3_600_000;

/** One task, for somebody outside: a page of a customer, above all. */
@ApiTags('tasks')
@ApiExtraModels(FollowedTask)
@Controller('v1/tasks/:id')
export class FollowingController {
  constructor(
    private readonly queries: QueryBus,
    private readonly history: HistoryReader,
    private readonly ends: TaskEnds,
    private readonly stopping: Stopping,
    private readonly server: HttpAdapterHost<WaybillHttpAdapter>,
  ) {}

  @Post('follow-token')
  @QueryEndpoint({
    on: 'task',
    summary: 'Make a token with which a browser may follow a task',
    description:
      'The token opens `GET /v1/tasks/{id}/follow` of this task until it expires, and nothing else. Nothing is stored of it, so it cannot be taken back; a service without its secret refuses it.',
    body: FollowTokenRequest,
    bodyOptional: true,
    answers: FollowToken,
    refuses: [
      'NO_FOLLOW_SECRET',
      'TASK_NOT_FOUND',
      'MALFORMED_JSON',
      'REQUEST_TIMEOUT',
      'LENGTH_REQUIRED',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  })
  async createFollowToken({ on: task, body }: Call<FollowTokenRequest>): Promise<Answer<FollowToken>> {
    await this.history.assertThere({ task });
    // Callers in a process without the API have no adapter.
    const tokens = this.server.httpAdapter?.followTokens;
    if (!tokens) throw noSecret();
    const seconds = Math.floor((Date.now() + (body.expiresInMs ?? USUAL_MS)) / 1_000);
    const token = tokens.tokenOf({ task, expiresAt: seconds * 1_000 });
    return { body: { token, task, expiresAt: new Date(seconds * 1_000).toISOString() } };
  }

  @Get('follow')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The `id` of the last message that arrived: the first message has only the events after it.',
  })
  @StreamEndpoint({
    on: 'task',
    summary: 'Follow a task until it ends',
    onlyPresent: '`GET /v1/tasks/{id}` with `asOf` has what it was then',
    description:
      'Server-sent events, each with the task as it is then, without payload, labels, actors and reasons: at once, and after everything that happens to it. ' +
      'The stream ends with the task, and with its token. After 15 s without an event, a message has only an `id`. Several events that come together make one message.',
    stream: SERVER_SENT_EVENTS,
    events: FollowedTask,
    refuses: ['STREAM_UNREADABLE'],
  })
  async followTask({ on: task, caller, signal }: Call): Promise<Answer<EventPages<FollowedTask>>> {
    const after = positionIn(caller.lastEventId ?? '0');
    const first = await this.queries.execute(new GetFollowedTask(task, after));
    if (first === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
    const changes = this.changes(first, this.stopping.or(signal));
    return { body: withHeartbeat(changes, BigInt(first.position), HEARTBEAT_MS), asOf: after };
  }

  /** Until the task has ended. */
  private async *changes(first: Found, until: AbortSignal): AsyncGenerator<EventPage<FollowedTask>> {
    yield pageOf(first);
    for (let last = first; !last.ended;) {
      const found = await this.after(last, until);
      if (found === null || until.aborted) return;
      if (found.position !== last.position) yield pageOf(found);
      last = found;
    }
  }

  /** The task once something has happened to it, or as it was after a long silence. */
  private after({ task, position }: Found, signal: AbortSignal): Promise<Found | null> {
    const look = () => this.queries.execute(new GetFollowedTask(task, BigInt(position)));
    const isNews = (found: Found | null): boolean => found?.position !== position;
    return this.ends.look(task, look, isNews, { waitMs: SILENCE_MS, signal, wakes: 'change' });
  }
}

const pageOf = ({ events, ...task }: Found): EventPage<FollowedTask> => ({
  events: [{ ...task, type: 'Followed', events: [...events] }],
  reached: BigInt(task.position),
});

function positionIn(text: string): bigint {
  if (POSITION.test(text)) return BigInt(text);
  throw new InvalidInput([{ pointer: '#/headers/last-event-id', detail: `Expected ${POSITION.words}` }]);
}

const noSecret = (): ApiError =>
  new ApiError(
    'NO_FOLLOW_SECRET',
    "Expected the service to have a secret that signs follow tokens, but it has none: write 'openssl rand -base64 32' into a file, and name it in WAYBILL_FOLLOW_SECRET_FILE of every process of the service, or give it to startWaybill in http.followSecrets",
  );
