import { Controller, Get, HttpCode, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { headOf } from '../answer.js';
import type { Caller } from '../caller.js';
import { EventView } from '../dto/event.dto.js';
import { EventQuery, FollowQuery } from '../dto/query.dto.js';
import { NeedsKey, refusals } from '../http/endpoint.js';
import { lines, serverSentEvents } from '../http/event-texts.js';
import { ClientAbortSignal, RequestCaller } from '../http/parameters.js';
import { HistoryOperations } from '../operations/history.operations.js';

const FEED_REFUSALS = [
  'INVALID_INPUT',
  'QUEUE_NOT_FOUND',
  'TASK_NOT_FOUND',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'INTERNAL_ERROR',
  'STORE_UNAVAILABLE',
  'SHUTTING_DOWN',
] as const;

const EVENT = { schema: { $ref: getSchemaPath(EventView) } };

/** The record, as streams: the next events are read when the client has taken the last ones. */
@ApiTags('history')
@ApiExtraModels(EventView)
@Controller('v1/events')
export class EventsController {
  constructor(private readonly history: HistoryOperations) {}

  @Get()
  @NeedsKey
  @HttpCode(200)
  @ApiOperation({ summary: 'Read the events up to now', description: 'One JSON document a line, in commit order.' })
  @ApiResponse({ status: 200, description: 'The events.', content: { 'application/x-ndjson': EVENT } })
  @refusals(FEED_REFUSALS)
  async readEvents(@Query() query: EventQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    const answer = await this.history.readEvents(query);
    reply.headers(headOf(answer).headers).type('application/x-ndjson');
    return lines(answer.body);
  }

  @Get('stream')
  @NeedsKey
  @HttpCode(200)
  @ApiOperation({
    summary: 'Follow the events',
    description:
      'Server-sent events: `id` is the position, `event` the type, `data` the event. The first `id` stands alone: the position that ' +
      'the stream begins after, as in `X-As-Of-Position`. A comment every 15 s of silence.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Go on after this position; goes before `after` and `since`.',
  })
  @ApiResponse({ status: 200, description: 'The events.', content: { 'text/event-stream': EVENT } })
  @refusals(FEED_REFUSALS)
  async followEvents(
    @Query() query: FollowQuery,
    @RequestCaller() caller: Caller,
    @ClientAbortSignal() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const answer = await this.history.followEvents(query, caller, gone);
    reply
      .headers({ ...headOf(answer).headers, 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
      .type('text/event-stream');
    return serverSentEvents(answer.body, answer.asOf!);
  }
}
