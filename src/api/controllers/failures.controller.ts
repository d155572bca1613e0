import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  type FailureGroupOperation,
  OperateFailureGroup,
} from '../../application/failure-groups/operate-failure-group.handler.js';
import { Refused } from '../../application/kernel/application-error.js';
import {
  GetFailureGroupAsOf,
  ListFailureGroupsAsOf,
  NOT_TOLD_OF_GROUPS,
} from '../../projections/failure-groups/failure-groups-as-of.queries.js';
import { GetFailureGroup } from '../../projections/failure-groups/get-failure-group.query.js';
import { ListFailureGroups } from '../../projections/failure-groups/list-failure-groups.query.js';
import {
  FailureGroupList,
  FailureGroupListQuery,
  FailureGroupQuery,
  FailureGroupView,
  ResolveFailureGroupRequest,
} from '../dto/failure-group.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { receiptAnswer, type ReceiptBody } from '../operations/outcomes.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { PastReads } from '../operations/past-reads.js';
import { renameIn } from '../operations/queue-ids.js';
import { Reads } from '../operations/reads.js';
import { withReason } from '../operations/steps.js';

/** What the commands on a group have in common. A cause may be in any queue. */
const OPERATES_GROUP = {
  on: 'failure',
  permission: 'operate',
  answers: Receipt,
  bodyOptional: true,
  refuses: ['FAILURE_GROUP_NOT_FOUND'],
} as const;

@ApiTags('failures')
@Controller('v1/failures')
export class FailuresController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly past: PastReads,
  ) {}

  @Get()
  @QueryEndpoint({
    queues: ({ query }: Call<unknown, FailureGroupListQuery>) => [query.queue],
    renameQueues: ({ query }: Call<unknown, FailureGroupListQuery>, name) => renameIn([query], name),
    summary: 'List failures in groups of the same cause',
    description:
      "Failures belong together if they have the same class, the same message but for numbers, ids, paths and other values, and the same top frame of their stacks. Those of the service's own queues are left out.",
    query: FailureGroupListQuery,
    answers: FailureGroupList,
    refuses: ['HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  listFailureGroups({ query }: Call<unknown, FailureGroupListQuery>) {
    const { minPosition, asOf, cursor = null, limit = PAGE, order = 'latest', queue, state, class: ofClass } = query;
    const filter = {
      ...(queue !== undefined && { queue }),
      ...(state && { state }),
      ...(ofClass && { class: ofClass }),
    };
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, cursor }, async (moment) => {
        await this.reads.reached('failure-groups', moment.position);
        return {
          view: await this.queries.execute(new ListFailureGroupsAsOf(filter, order, { moment, cursor, limit })),
          notRecorded: NOT_TOLD_OF_GROUPS,
        };
      });
    return this.reads.from('failure-groups', minPosition, () =>
      this.queries.execute(new ListFailureGroups(filter, order, cursor, limit)).catch(asInvalidInput),
    );
  }

  @Get(':group')
  @QueryEndpoint({
    queues: ({ query }: Call<unknown, FailureGroupQuery>) => [query.queue],
    renameQueues: ({ query }: Call<unknown, FailureGroupQuery>, name) => renameIn([query], name),
    on: 'failure',
    summary: 'Show a group of failures',
    description: 'With what changed before it began, and what repaired it last time.',
    query: FailureGroupQuery,
    answers: FailureGroupView,
    refuses: ['FAILURE_GROUP_NOT_FOUND', 'HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  getFailureGroup({ on: group, query: { minPosition, asOf, queue } }: Call<unknown, FailureGroupQuery>) {
    if (asOf !== undefined)
      return this.past.asOf(
        { asOf, minPosition, absence: { code: 'FAILURE_GROUP_NOT_FOUND', group } },
        async (moment) => {
          await this.reads.reached('failure-groups', moment.position);
          const view = await this.queries.execute(new GetFailureGroupAsOf(group, queue, moment));
          return { view, notRecorded: NOT_TOLD_OF_GROUPS };
        },
      );
    return this.reads.from('failure-groups', minPosition, () => this.known(group, queue ?? null));
  }

  @Post(':group/resolve')
  @CommandEndpoint({
    ...OPERATES_GROUP,
    summary: 'Say that the cause of a group of failures is gone',
    description:
      'If a task fails like that again, the group is open again, and the event FailureGroupReturned says so.',
    body: ResolveFailureGroupRequest,
    refuses: ['FAILURE_GROUP_NOT_FOUND', 'OPERATION_NOT_FOUND'],
  })
  resolveFailureGroup(call: Call<ResolveFailureGroupRequest>): Promise<Answer<ReceiptBody>> {
    const { build = null, operation = null } = call.body ?? {};
    return this.operate(call, { type: 'ResolveFailureGroup', build, operation });
  }

  @Post(':group/ignore')
  @CommandEndpoint({
    ...OPERATES_GROUP,
    summary: 'Say that a group of failures needs nobody',
    description: 'It is still counted.',
    body: ReasonRequest,
  })
  ignoreFailureGroup(call: Call<ReasonRequest>): Promise<Answer<ReceiptBody>> {
    return this.operate(call, { type: 'IgnoreFailureGroup' });
  }

  @Post(':group/reopen')
  @CommandEndpoint({ ...OPERATES_GROUP, summary: 'Open a group of failures again', body: ReasonRequest })
  reopenFailureGroup(call: Call<ReasonRequest>): Promise<Answer<ReceiptBody>> {
    return this.operate(call, { type: 'ReopenFailureGroup' });
  }

  /** What is not found is looked for once more when the groups have caught up. */
  private async operate(call: Call, operation: FailureGroupOperation): Promise<Answer<ReceiptBody>> {
    const command = new OperateFailureGroup(call.on, operation, withReason(call, contextOf(call)));
    const { body } = await this.reads.from('failure-groups', undefined, () => this.commands.execute(command));
    return receiptAnswer(body);
  }

  private async known(group: string, queue: string | null) {
    const view = await this.queries.execute(new GetFailureGroup(group, queue));
    if (view === null) throw new Refused({ code: 'FAILURE_GROUP_NOT_FOUND', group });
    return view;
  }
}
