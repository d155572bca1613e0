import { Controller, Get, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Refused } from '../../application/kernel/application-error.js';
import type { ValueLimits } from '../../domain/queue/queue.policy.js';
import { ListLimits } from '../../projections/queues/list-limits.query.js';
import { PageQuery } from '../dto/query.dto.js';
import { LimitPage, SetLimitRequest, UnsetLimitRequest } from '../dto/queue-limits.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import { InvalidInput } from '../input/invalid-input.js';
import type { Call } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { Reads } from '../operations/reads.js';
import { onQueue } from '../operations/steps.js';

const LIMITS = {
  on: 'queue',
  permission: 'operate',
  transaction: true,
  answers: Receipt,
  refuses: ['QUEUE_NOT_FOUND', 'QUEUE_RESERVED', 'LABEL_DIFFERS'],
} as const;

/** The limits of single values of a label, which are part of the policy of their queue. */
@ApiTags('queues')
@Controller('v1/queues')
export class QueueLimitsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

  @Post(':queue/set-limit')
  @CommandEndpoint({
    ...LIMITS,
    summary: 'Limit the tasks that have a value of a label',
    description:
      'Changes `perLabel` of the policy as it stands, so it needs no version, and of two changes at once none is lost. Limits that you leave out stay.',
    body: SetLimitRequest,
    refuses: [...LIMITS.refuses, 'TOO_MANY_LIMITS', 'FAIR_LABEL_DIFFERS'],
  })
  setLimit(call: Call<SetLimitRequest>) {
    const { label, value = null } = call.body;
    return onQueue(call, { type: 'SetLimit', label, value, limits: limitsIn(call.body) });
  }

  @Post(':queue/unset-limit')
  @CommandEndpoint({
    ...LIMITS,
    summary: 'Take away the limits of a value of a label',
    description: 'The value then has the limits of all others. Changes `perLabel` of the policy as it stands.',
    body: UnsetLimitRequest,
  })
  unsetLimit(call: Call<UnsetLimitRequest>) {
    const { label, value = null } = call.body;
    return onQueue(call, { type: 'UnsetLimit', label, value });
  }

  @Get(':queue/limits')
  @QueryEndpoint({
    on: 'queue',
    summary: 'List the limits of the values of a label, with what runs',
    onlyPresent:
      'what runs and which rates are used up is of now; `GET /v1/queues/{queue}` with `asOf` has the limits of then',
    query: PageQuery,
    answers: LimitPage,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  listLimits({ on: queue, query }: Call<unknown, PageQuery>) {
    const { minPosition, cursor = null, limit = PAGE } = query;
    return this.reads.from('queues', minPosition, async () => {
      const page = await this.queries.execute(new ListLimits(queue, cursor, limit)).catch(asInvalidInput);
      if (page === null) throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
      return page;
    });
  }
}

function limitsIn({ maxRunning, rate }: SetLimitRequest): ValueLimits {
  if (maxRunning === undefined && rate === undefined)
    throw new InvalidInput([
      { pointer: '/maxRunning', detail: "Expected 'maxRunning' or 'rate', but there is neither" },
    ]);
  return { ...(maxRunning !== undefined && { maxRunning }), ...(rate !== undefined && { rate }) };
}
