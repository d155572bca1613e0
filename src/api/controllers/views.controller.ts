import { Controller, Delete, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { DeleteView, SaveView } from '../../application/views/operate-view.handler.js';
import { ListViews } from '../../projections/views/views.queries.js';
import { ReadQuery } from '../dto/query.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { definitionOf, SavedViewList, ViewDefinition } from '../dto/view.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { receiptAnswer, type ReceiptBody } from '../operations/outcomes.js';
import { Reads } from '../operations/reads.js';
import { searchIn } from '../operations/search.js';
import { withReason } from '../operations/steps.js';

/** What both commands on a view have in common. Repeated, each finds that it is already done. */
const OPERATES_VIEW = { on: 'view', permission: 'operate', answers: Receipt } as const;

@ApiTags('views')
@Controller('v1/views')
export class ViewsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

  @Put(':view')
  @CommandEndpoint({
    ...OPERATES_VIEW,
    summary: 'Save a view for everybody',
    description:
      'Everybody finds the list of tasks under its name from then on. Repeated with something else, it changes the view. The history keeps what was searched for, so a search should name nobody.',
    body: ViewDefinition,
    refuses: ['TOO_MANY_VIEWS'],
  })
  async saveView(call: Call<ViewDefinition>): Promise<Answer<ReceiptBody>> {
    const definition = definitionOf(call.body);
    if (definition.q !== '') searchIn(definition.q, '#/q');
    const command = new SaveView(call.on, definition, withReason(call, contextOf(call)));
    return receiptAnswer(await this.commands.execute(command));
  }

  @Get()
  @QueryEndpoint({
    summary: 'List the views that are saved for everybody',
    description: 'Ordered by name. There are at most 100.',
    query: ReadQuery,
    answers: SavedViewList,
    onlyPresent: 'a view is how people look today, at whichever moment',
  })
  listViews({ query: { minPosition } }: Call<unknown, ReadQuery>) {
    return this.reads.from('views', minPosition, async () => ({ items: await this.queries.execute(new ListViews()) }));
  }

  @Delete(':view')
  @CommandEndpoint({
    ...OPERATES_VIEW,
    summary: 'Delete a view for everybody',
    description: 'The history keeps what it showed, and who saved it. It can be saved anew.',
    query: ReasonRequest,
    refuses: ['VIEW_NOT_FOUND'],
  })
  async deleteView(call: Call): Promise<Answer<ReceiptBody>> {
    const context = withReason(call, contextOf(call));
    return receiptAnswer(await this.commands.execute(new DeleteView(call.on, context)));
  }
}
