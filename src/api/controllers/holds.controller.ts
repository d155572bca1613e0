import { Controller, Delete, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiftHold, PlaceHold } from '../../application/holds/operate-hold.handler.js';
import { Refused } from '../../application/kernel/application-error.js';
import { HOLDS_THEN } from '../../projections/holds/holds-then.js';
import { GetNamedAsOf, ListNamedAsOf } from '../../projections/kernel/named-as-of.js';
import { GetHold, ListHolds } from '../../projections/holds/holds.queries.js';
import { mayAll } from '../access/permissions.js';
import { HoldDefinition, HoldList, HoldView } from '../dto/hold.dto.js';
import { PastPageQuery, PastQuery } from '../dto/query.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { receiptAnswer, type ReceiptBody } from '../operations/outcomes.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { PastReads } from '../operations/past-reads.js';
import { Reads } from '../operations/reads.js';
import { withReason } from '../operations/steps.js';

/** What both commands on a hold have in common. Repeated, each finds that it is already done. */
const OPERATES_HOLD = { on: 'hold', permission: 'operate', answers: Receipt } as const;

@ApiTags('holds')
@Controller('v1/holds')
export class HoldsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly past: PastReads,
  ) {}

  @Put(':hold')
  @CommandEndpoint({
    ...OPERATES_HOLD,
    summary: 'Place a hold',
    description:
      'From then on, tasks that have all of its labels are held when their turn comes, in every queue. Repeated with other labels or another reason, it changes the hold. One that forbids erasure holds no task; to change it needs the permission `erase`.',
    body: HoldDefinition,
    refuses: ['LEGAL_HOLD_IN_FORCE'],
  })
  async placeHold(call: Call<HoldDefinition>): Promise<Answer<ReceiptBody>> {
    const { labels, forbidsErasure } = call.body;
    const mayErase = mayAll(call.caller.principal, 'erase');
    const context = withReason(call, contextOf(call));
    return receiptAnswer(
      await this.commands.execute(new PlaceHold(call.on, { labels }, context, { forbidsErasure, mayErase })),
    );
  }

  @Get()
  @QueryEndpoint({
    summary: 'List the holds that are in force',
    description: 'Ordered by name.',
    query: PastPageQuery,
    answers: HoldList,
    refuses: ['HISTORY_NOT_READY'],
  })
  listHolds({ query }: Call<unknown, PastPageQuery>) {
    const { minPosition, asOf, cursor = null, limit = PAGE } = query;
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, cursor }, (moment) =>
        this.queries.execute(new ListNamedAsOf(HOLDS_THEN, { moment, cursor, limit })),
      );
    return this.reads.from('holds', minPosition, () =>
      this.queries.execute(new ListHolds(cursor, limit)).catch(asInvalidInput),
    );
  }

  @Get(':hold')
  @QueryEndpoint({
    on: 'hold',
    summary: 'Show a hold',
    query: PastQuery,
    answers: HoldView,
    refuses: ['HOLD_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getHold({ on: hold, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'HOLD_NOT_FOUND', hold } }, (moment) =>
        this.queries.execute(new GetNamedAsOf(HOLDS_THEN, hold, moment)),
      );
    return this.reads.from('holds', minPosition, async () => {
      const view = await this.queries.execute(new GetHold(hold));
      if (view === null) throw new Refused({ code: 'HOLD_NOT_FOUND', hold });
      return view;
    });
  }

  @Delete(':hold')
  @CommandEndpoint({
    ...OPERATES_HOLD,
    summary: 'Lift a hold',
    description:
      'The tasks that it caught stay held. From then on, they can be released. One that forbids erasure needs the permission `erase`.',
    query: ReasonRequest,
    refuses: ['HOLD_NOT_FOUND', 'LEGAL_HOLD_IN_FORCE'],
  })
  async liftHold(call: Call): Promise<Answer<ReceiptBody>> {
    const context = withReason(call, contextOf(call));
    const mayErase = mayAll(call.caller.principal, 'erase');
    return receiptAnswer(await this.commands.execute(new LiftHold(call.on, context, mayErase)));
  }
}
