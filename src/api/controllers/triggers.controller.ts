import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { DeliveryTargets } from '../../application/deliveries/delivery-targets.port.js';
import { Refused } from '../../application/kernel/application-error.js';
import { Clock } from '../../application/kernel/clock.port.js';
import { FireTrigger } from '../../application/triggers/fire-trigger.handler.js';
import { OperateTrigger, type TriggerOperation } from '../../application/triggers/operate-trigger.handler.js';
import { TRIGGERS_THEN } from '../../projections/triggers/triggers-then.js';
import { GetNamedAsOf, ListNamedAsOf } from '../../projections/kernel/named-as-of.js';
import { MOST_UNCONFIRMED, ReplayTrigger } from '../../application/triggers/replay-trigger.handler.js';
import { waitsForEvents } from '../../domain/trigger/event-pattern.js';
import type { EventTrigger } from '../../domain/trigger/trigger.events.js';
import { InboundSecrets } from '../access/inbound-secrets.js';
import { InvalidInput } from '../input/invalid-input.js';
import { GetTrigger, ListTriggers } from '../../projections/triggers/triggers.queries.js';
import { PastPageQuery, PastQuery } from '../dto/query.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { EnqueueResult } from '../dto/submission.dto.js';
import {
  FireTriggerRequest,
  ReplayRequest,
  StartedReplay,
  TriggerDefinition,
  TriggerList,
  TriggerReceipt,
  TriggerView,
} from '../dto/trigger.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { enqueueAnswer, type EnqueueResult as Enqueued } from '../operations/outcomes.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { PastReads } from '../operations/past-reads.js';
import { Reads } from '../operations/reads.js';
import { withReason } from '../operations/steps.js';
import { SUBMISSION_REFUSALS } from '../operations/submission.js';
import { definitionOf, triggerAnswer, type TriggerReceiptBody, triggerView, withPlace } from '../operations/trigger.js';
import { renameIn } from '../operations/queue-ids.js';

/** What all commands on a trigger have in common. Repeated, each finds that it is already done. */
const OPERATES_TRIGGER = { on: 'trigger', permission: 'operate', answers: TriggerReceipt } as const;

@ApiTags('triggers')
@Controller('v1/triggers')
export class TriggersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly past: PastReads,
    private readonly clock: Clock,
    private readonly targets: DeliveryTargets,
    private readonly secrets: InboundSecrets,
  ) {}

  @Put(':trigger')
  @CommandEndpoint({
    ...OPERATES_TRIGGER,
    summary: 'Define a trigger',
    description:
      'Creates the trigger, or replaces its definition. Occurrences that came and have not made their tasks yet make those of the new definition, unless `dropped` names them. It makes a task, or tells what has changed, at every time of a pattern (`cron`), a job of what waits in a queue (`queue`), a task or delivery of events (`event`), or a task of every request that its sender signed (`delivery`).',
    body: TriggerDefinition,
    renameQueues: ({ body }: Call<TriggerDefinition>, name) =>
      renameIn([body, body.event, body.task, body.changes], name),
    refuses: [
      'CRON_INVALID',
      'QUEUE_RESERVED',
      'LABEL_RESERVED',
      'QUEUE_NOT_FOUND',
      'TRIGGER_CYCLE',
      'HISTORY_NOT_READY',
    ],
  })
  async defineTrigger(call: Call<TriggerDefinition>): Promise<Answer<TriggerReceiptBody>> {
    const asked = definitionOf(call.body, this.targets, this.secrets);
    const definition = await withPlace(asked, (text, pointer) => this.past.placeBefore(text, pointer));
    return this.operate(call, { type: 'DefineTrigger', definition });
  }

  @Get()
  @QueryEndpoint({
    summary: 'List triggers',
    description: 'Ordered by name.',
    query: PastPageQuery,
    answers: TriggerList,
    refuses: ['HISTORY_NOT_READY'],
  })
  listTriggers({ query }: Call<unknown, PastPageQuery>) {
    const { minPosition, asOf, cursor = null, limit = PAGE } = query;
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, cursor }, async (moment) => {
        const { view, notRecorded } = await this.queries.execute(
          new ListNamedAsOf(TRIGGERS_THEN, { moment, cursor, limit }),
        );
        return { view: { ...view, items: view.items.map((row) => triggerView(row, moment.at)) }, notRecorded };
      });
    return this.reads.from('triggers', minPosition, async () => {
      const { items, nextCursor } = await this.queries.execute(new ListTriggers(cursor, limit)).catch(asInvalidInput);
      return { items: items.map((row) => triggerView(row, this.clock.iso())), nextCursor };
    });
  }

  @Get(':trigger')
  @QueryEndpoint({
    on: 'trigger',
    summary: 'Show a trigger',
    query: PastQuery,
    answers: TriggerView,
    refuses: ['TRIGGER_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getTrigger({ on: trigger, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'TRIGGER_NOT_FOUND', trigger } }, async (moment) => {
        const { view, notRecorded } = await this.queries.execute(new GetNamedAsOf(TRIGGERS_THEN, trigger, moment));
        return { view: triggerView(view, moment.at), notRecorded };
      });
    return this.reads.from('triggers', minPosition, async () => {
      const row = await this.queries.execute(new GetTrigger(trigger));
      if (row === null) throw new Refused({ code: 'TRIGGER_NOT_FOUND', trigger });
      return triggerView(row, this.clock.iso());
    });
  }

  @Delete(':trigger')
  @CommandEndpoint({
    ...OPERATES_TRIGGER,
    summary: 'Delete a trigger',
    description: 'Its tasks stay. An occurrence that came and has not made its task yet is dropped.',
    query: ReasonRequest,
    refuses: ['TRIGGER_NOT_FOUND'],
  })
  deleteTrigger(call: Call): Promise<Answer<TriggerReceiptBody>> {
    return this.operate(call, { type: 'DeleteTrigger' });
  }

  @Post(':trigger/enable')
  @CommandEndpoint({
    ...OPERATES_TRIGGER,
    summary: 'Enable a trigger',
    description: 'Occurrences while it was disabled make no tasks.',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: ['TRIGGER_NOT_FOUND', 'CRON_INVALID'],
  })
  enableTrigger(call: Call<ReasonRequest>): Promise<Answer<TriggerReceiptBody>> {
    return this.operate(call, { type: 'EnableTrigger' });
  }

  @Post(':trigger/disable')
  @CommandEndpoint({
    ...OPERATES_TRIGGER,
    summary: 'Disable a trigger',
    description: 'An occurrence that came and has not made its task yet is dropped.',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: ['TRIGGER_NOT_FOUND'],
  })
  disableTrigger(call: Call<ReasonRequest>): Promise<Answer<TriggerReceiptBody>> {
    return this.operate(call, { type: 'DisableTrigger' });
  }

  @Post(':trigger/fire')
  @CommandEndpoint({
    ...OPERATES_TRIGGER,
    summary: "Make a trigger's task now",
    description: 'Also while the trigger is disabled. Its occurrences stay as they are.',
    body: FireTriggerRequest,
    bodyOptional: true,
    answers: EnqueueResult,
    creates: true,
    refuses: [
      'TRIGGER_NOT_FOUND',
      'NOTHING_READY',
      'CLAIM_ID_REUSED',
      ...SUBMISSION_REFUSALS,
      'KEY_ALREADY_WAITING',
      'CRON_INVALID',
    ],
  })
  async fireTrigger(call: Call<FireTriggerRequest>): Promise<Answer<Enqueued>> {
    const context = withReason(call, contextOf(call));
    return enqueueAnswer(await this.commands.execute(new FireTrigger(call.on, call.body.id ?? null, context)));
  }

  @Post(':trigger/replay')
  @CommandEndpoint({
    ...OPERATES_TRIGGER,
    // It has an own one, which counts the events.
    preview: false,
    summary: 'Tell past events once more',
    description:
      'Makes a new task or delivery of each event of a range that the trigger waits for, also while the trigger is disabled. Each has an id of its own; the CloudEvent has the id of the event, and `replay`. The replay is a task of the queue `waybill.past-events`. Cancel that task to stop it.',
    body: ReplayRequest,
    answers: StartedReplay,
    refuses: ['TRIGGER_NOT_FOUND', 'DRAINING', 'INTAKE_CLOSED', 'HISTORY_NOT_READY'],
  })
  async replayTrigger(call: Call<ReplayRequest>): Promise<Answer<StartedReplay>> {
    const { on: trigger, body } = call;
    const definition = await this.eventsOf(trigger);
    const [after, upTo] = [await this.past.placeBefore(body.from, '#/from'), await this.past.endOf(body.to, '#/to')];
    if (after > upTo)
      throw refused('#/from', `Expected 'from' to be at or before 'to', but position ${after} comes after ${upTo}`);
    const firing = { trigger, after: String(after), upTo: String(upTo), isReplay: true } as const;
    const mode = { isPreview: body.preview === true, isConfirmed: body.yes === true };
    const context = withReason(call, contextOf(call));
    const { count, range, receipt } = await this.commands.execute(new ReplayTrigger(firing, definition, mode, context));
    if (receipt === null && !mode.isPreview)
      throw refused(
        '#/yes',
        `Expected 'yes' to replay a range of more than ${MOST_UNCONFIRMED} events, but there is none`,
      );
    const { id = null, position = null, replayed = false } = receipt ?? {};
    return { body: { count, after: range.after, upTo: range.upTo, id, position }, replayed };
  }

  private async eventsOf(trigger: string): Promise<EventTrigger> {
    const { body: definition } = await this.reads.from('triggers', undefined, async () => {
      const row = await this.queries.execute(new GetTrigger(trigger));
      if (row === null) throw new Refused({ code: 'TRIGGER_NOT_FOUND', trigger });
      return row;
    });
    if (!waitsForEvents(definition)) throw refused('', `Expected a trigger of events, but '${trigger}' is none`);
    return definition;
  }

  private async operate(call: Call, operation: TriggerOperation): Promise<Answer<TriggerReceiptBody>> {
    const context = withReason(call, contextOf(call));
    return triggerAnswer(await this.commands.execute(new OperateTrigger(call.on, operation, context)));
  }
}

const refused = (pointer: string, detail: string): InvalidInput => new InvalidInput([{ pointer, detail }]);
