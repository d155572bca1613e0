import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SYSTEM_HISTORY } from '../../application/history/stream-history.js';
import { AGGREGATES } from '../../domain/aggregates.js';
import { EventPage, HistoryQuery } from '../dto/history.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import type { Call } from '../operations/call.js';
import { Histories } from '../operations/histories.js';

const SHOWN = { query: HistoryQuery, answers: EventPage } as const;

/** Everything that happened to one thing, as `tasks/{id}/history` has it of a task. */
@ApiTags('history')
@Controller('v1')
export class HistoriesController {
  constructor(private readonly histories: Histories) {}

  @Get('queues/:queue/history')
  @QueryEndpoint({
    ...SHOWN,
    on: 'queue',
    summary: 'Show everything that happened to a queue',
    description:
      'Its own events, without those of its tasks, which `GET /v1/events?queue=` has. Also of a deleted queue.',
    refuses: ['QUEUE_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getQueueHistory({ on: queue, query }: Call<unknown, HistoryQuery>) {
    return this.histories.of(AGGREGATES.queue.streamOf(queue), query, { code: 'QUEUE_NOT_FOUND', queue });
  }

  @Get('batches/:id/history')
  @QueryEndpoint({
    ...SHOWN,
    on: 'batch',
    summary: 'Show everything that happened to a batch',
    description: 'Its own events, without those of its tasks. Also of a deleted batch.',
    refuses: ['BATCH_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getBatchHistory({ on: batch, query }: Call<unknown, HistoryQuery>) {
    return this.histories.of(AGGREGATES.batch.streamOf(batch), query, { code: 'BATCH_NOT_FOUND', batch });
  }

  @Get('triggers/:trigger/history')
  @QueryEndpoint({
    ...SHOWN,
    on: 'trigger',
    summary: 'Show everything that happened to a trigger',
    description: 'Also of a deleted trigger.',
    refuses: ['TRIGGER_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getTriggerHistory({ on: trigger, query }: Call<unknown, HistoryQuery>) {
    return this.histories.of(AGGREGATES.trigger.streamOf(trigger), query, { code: 'TRIGGER_NOT_FOUND', trigger });
  }

  @Get('holds/:hold/history')
  @QueryEndpoint({
    ...SHOWN,
    on: 'hold',
    summary: 'Show everything that happened to a hold',
    description: 'Also of a lifted hold. The tasks that it caught have that in their own histories.',
    refuses: ['HOLD_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getHoldHistory({ on: hold, query }: Call<unknown, HistoryQuery>) {
    return this.histories.of(AGGREGATES.hold.streamOf(hold), query, { code: 'HOLD_NOT_FOUND', hold });
  }

  @Get('resources/:resource/history')
  @QueryEndpoint({
    ...SHOWN,
    on: 'resource',
    summary: 'Show everything that happened to a resource',
    description: 'Also of a deleted resource. Of measurements, it has those that crossed a limit.',
    refuses: ['RESOURCE_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getResourceHistory({ on: resource, query }: Call<unknown, HistoryQuery>) {
    return this.histories.of(AGGREGATES.resource.streamOf(resource), query, { code: 'RESOURCE_NOT_FOUND', resource });
  }

  @Get('system/history')
  @QueryEndpoint({
    ...SHOWN,
    summary: 'Show everything that happened to the system',
    description: 'When it was drained and resumed, by whom and why.',
    refuses: ['HISTORY_NOT_READY'],
  })
  getSystemHistory({ query }: Call<unknown, HistoryQuery>) {
    return this.histories.of(SYSTEM_HISTORY, query);
  }
}
