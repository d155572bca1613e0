import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Refused } from '../../application/kernel/application-error.js';
import { MeasureResource } from '../../application/resources/measure-resource.handler.js';
import { DefineResource, DeleteResource } from '../../application/resources/operate-resource.handler.js';
import { RESOURCES_THEN } from '../../projections/resources/resources-then.js';
import { GetNamedAsOf, ListNamedAsOf } from '../../projections/kernel/named-as-of.js';
import { GetResource, ListResources } from '../../projections/resources/resources.queries.js';
import { PastPageQuery, PastQuery } from '../dto/query.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import {
  definitionOf,
  Measure,
  MeasureResult,
  ResourceDefinition,
  ResourceList,
  ResourceView,
} from '../dto/resource.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { CommandEndpoint, QueryEndpoint, WorkerEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { receiptAnswer, type ReceiptBody } from '../operations/outcomes.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { PastReads } from '../operations/past-reads.js';
import { Reads } from '../operations/reads.js';
import { withReason } from '../operations/steps.js';

/** What both commands on a resource have in common. Repeated, each finds that it is already done. */
const OPERATES_RESOURCE = { on: 'resource', permission: 'operate', answers: Receipt } as const;

@ApiTags('resources')
@Controller('v1/resources')
export class ResourcesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly past: PastReads,
  ) {}

  @Put(':resource')
  @CommandEndpoint({
    ...OPERATES_RESOURCE,
    summary: 'Define a resource',
    description:
      'Steps of queues may need it from then on. It is short until its gauge is measured. Repeated with other values, it changes the definition.',
    body: ResourceDefinition,
  })
  async defineResource(call: Call<ResourceDefinition>): Promise<Answer<ReceiptBody>> {
    const command = new DefineResource(call.on, definitionOf(call.body), withReason(call, contextOf(call)));
    return receiptAnswer(await this.commands.execute(command));
  }

  @Get()
  @QueryEndpoint({
    summary: 'List resources',
    description: 'Ordered by name.',
    query: PastPageQuery,
    answers: ResourceList,
    refuses: ['HISTORY_NOT_READY'],
  })
  listResources({ query }: Call<unknown, PastPageQuery>) {
    const { minPosition, asOf, cursor = null, limit = PAGE } = query;
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, cursor }, (moment) =>
        this.queries.execute(new ListNamedAsOf(RESOURCES_THEN, { moment, cursor, limit })),
      );
    return this.reads.from('resources', minPosition, () =>
      this.queries.execute(new ListResources(cursor, limit)).catch(asInvalidInput),
    );
  }

  @Get(':resource')
  @QueryEndpoint({
    on: 'resource',
    summary: 'Show a resource',
    description: 'With its gauge, and the steps that need it.',
    query: PastQuery,
    answers: ResourceView,
    refuses: ['RESOURCE_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getResource({ on: resource, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'RESOURCE_NOT_FOUND', resource } }, (moment) =>
        this.queries.execute(new GetNamedAsOf(RESOURCES_THEN, resource, moment)),
      );
    return this.reads.from('resources', minPosition, async () => {
      const view = await this.queries.execute(new GetResource(resource));
      if (view === null) throw new Refused({ code: 'RESOURCE_NOT_FOUND', resource });
      return view;
    });
  }

  @Delete(':resource')
  @CommandEndpoint({
    ...OPERATES_RESOURCE,
    summary: 'Delete a resource',
    description: 'Refused while a step of a queue needs it.',
    query: ReasonRequest,
    refuses: ['RESOURCE_NOT_FOUND', 'RESOURCE_NEEDED'],
  })
  async deleteResource(call: Call): Promise<Answer<ReceiptBody>> {
    return receiptAnswer(await this.commands.execute(new DeleteResource(call.on, withReason(call, contextOf(call)))));
  }

  @Post(':resource/measure')
  @WorkerEndpoint({
    on: 'resource',
    summary: 'Measure a resource',
    description:
      'Says what its gauge shows now. If the gauge falls below a limit, the tasks that waited for it are given out at once.',
    body: Measure,
    answers: MeasureResult,
    refuses: ['RESOURCE_NOT_FOUND'],
  })
  async measureResource(call: Call<Measure>): Promise<Answer<MeasureResult>> {
    const outcome = await this.commands.execute(new MeasureResource(call.on, call.body.value, contextOf(call)));
    return { body: { ...outcome, unmet: [...outcome.unmet] } };
  }
}
