import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Inject,
  NotFoundException,
  Param,
  Post,
  Put,
} from '@nestjs/common';
import { type TriggerDefinition, type TriggerView, type Waybill, WaybillError } from '@waybill/client';
import { QueueFinder, WAYBILL } from './queue-finder.js';
import { NewTrigger, TriggerChange } from './requests.js';
import { triggerView, typeOf } from './views.js';

/** Where robots find the jobs that triggers start. */
const JOBS = 'robot-jobs';

/** The most triggers that a list has. Those beyond are read by their names. */
const MOST = 1_000;

@Controller('api/triggers')
export class TriggersController {
  constructor(
    @Inject(WAYBILL) private readonly waybill: Waybill,
    private readonly queues: QueueFinder,
  ) {}

  /** A trigger that is there is replaced. */
  @Post()
  async create(@Body() trigger: NewTrigger) {
    await this.waybill.queue(JOBS).define({}, { preset: 'rpa-items', description: 'Jobs that triggers start' });
    await this.waybill.trigger(trigger.name).define(await this.definitionOf(trigger));
    await this.enable(trigger.name, trigger.enabled ?? true);
    return this.show(trigger.name);
  }

  @Get()
  async list() {
    const items: object[] = [];
    for await (const trigger of this.waybill.triggers())
      if (typeOf(trigger) !== null && items.push(await this.view(trigger)) === MOST) break;
    return { items };
  }

  @Get(':name')
  async show(@Param('name') name: string) {
    return this.view(await this.find(name));
  }

  /** What is absent stays. */
  @Put(':name')
  async change(@Param('name') name: string, @Body() { enabled, ...change }: TriggerChange) {
    const found = await this.find(name);
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    refuseOthers(
      typeOf(found)!,
      given.map(([field]) => field),
    );
    const changed = Object.assign(asGiven(found), Object.fromEntries(given));
    if (given.length > 0) await this.waybill.trigger(name).define(await this.definitionOf(changed));
    if (enabled !== undefined) await this.enable(name, enabled);
    return this.show(name);
  }

  /** Its jobs stay. */
  @Delete(':name')
  @HttpCode(HttpStatus.NO_CONTENT)
  async remove(@Param('name') name: string) {
    await this.find(name);
    await this.waybill.trigger(name).delete();
  }

  private async enable(name: string, enabled: boolean): Promise<void> {
    const trigger = this.waybill.trigger(name);
    await (enabled ? trigger.enable() : trigger.disable());
  }

  private async definitionOf(trigger: NewTrigger): Promise<TriggerDefinition> {
    const { process, payload, queue_id, cron, time_zone = 'UTC', batch_size, polling_interval } = trigger;
    const task = { queue: JOBS, kind: process, ...(payload !== undefined && { payload }) };
    if (trigger.type === 'TIME') return { task, cron: cron!, timeZone: time_zone };
    const { name } = await this.queues.find(queue_id!);
    return { task, queue: name, batchSize: batch_size ?? 1, every: polling_interval ?? 30 };
  }

  /** One that another program defined, which mails or waits for events, is none of theirs. */
  private async find(name: string): Promise<TriggerView> {
    const found = await this.waybill
      .trigger(name)
      .get()
      .catch((error: unknown) => {
        if (error instanceof WaybillError && error.code === 'TRIGGER_NOT_FOUND') return null;
        throw error;
      });
    if (found !== null && typeOf(found) !== null) return found;
    throw new NotFoundException(`Expected a trigger, but there is no '${name}'`);
  }

  private async view(trigger: TriggerView) {
    return triggerView(trigger, trigger.queue === undefined ? null : (await this.queues.find(trigger.queue)).id);
  }
}

/** The fields that only one type of trigger has. */
const OWN = { TIME: ['cron', 'time_zone'], QUEUE: ['queue_id', 'batch_size', 'polling_interval'] } as const;

function refuseOthers(type: keyof typeof OWN, fields: readonly string[]): void {
  const others: readonly string[] = OWN[type === 'TIME' ? 'QUEUE' : 'TIME'];
  const other = fields.find((field) => others.includes(field));
  if (other !== undefined)
    throw new BadRequestException(`Expected fields of a ${type} trigger, but '${other}' is one of the other type`);
}

/** The fields that define the trigger, as it has them. */
const asGiven = (trigger: TriggerView): NewTrigger => ({
  name: trigger.name,
  type: typeOf(trigger)!,
  process: trigger.task!.kind!,
  payload: trigger.task!.payload,
  queue_id: trigger.queue,
  cron: trigger.cron,
  time_zone: trigger.timeZone,
  batch_size: trigger.batchSize,
  polling_interval: trigger.every,
});
