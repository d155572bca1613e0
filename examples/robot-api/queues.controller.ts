import {
  Body,
  ConflictException,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Inject,
  Param,
  Post,
  Put,
} from '@nestjs/common';
import type { PolicyChanges, Waybill } from '@waybill/client';
import { QueueFinder, WAYBILL } from './queue-finder.js';
import { NewQueue, QueueChange } from './requests.js';
import { queueView, STATES } from './views.js';

@Controller('api/queues')
export class QueuesController {
  constructor(
    @Inject(WAYBILL) private readonly waybill: Waybill,
    private readonly queues: QueueFinder,
  ) {}

  @Post()
  async create(@Body() { name, description = '', ...rules }: NewQueue) {
    const queue = this.waybill.queue(name);
    const { outcome, differences } = await queue.define(policyOf(rules), { preset: 'rpa-items', description });
    const view = queueView(await queue.get());
    // The same request again is answered as the first. A name is unique, so it has no other rules.
    if (outcome === 'kept' && differences.length > 0) throw new ConflictException(alreadyThere(view));
    return view;
  }

  @Get(':id')
  async show(@Param('id') id: string) {
    return queueView(await this.queues.find(id));
  }

  /** An inactive queue refuses items and gives out none. */
  @Put(':id')
  async change(@Param('id') id: string, @Body() { is_active }: QueueChange) {
    const queue = this.waybill.queue((await this.queues.find(id)).name);
    await (is_active ? queue.openIntake() : queue.closeIntake());
    await (is_active ? queue.resume() : queue.pause());
    return queueView(await queue.get());
  }

  /** With its items, once the robots that have some are done. The operation is a task, which tells how far it is. */
  @Delete(':id')
  @HttpCode(HttpStatus.ACCEPTED)
  async remove(@Param('id') id: string) {
    const { name } = await this.queues.find(id);
    const { id: operation, count: items } = await this.waybill.queue(name).deleteWithTasks();
    return { status: 'DELETING', operation, items };
  }

  @Get(':id/stats')
  async stats(@Param('id') id: string) {
    const queue = this.waybill.queue((await this.queues.find(id)).name);
    const { counts, failedByClass, processingMs } = await queue.stats();
    const sum = (states: readonly (keyof typeof counts)[]): number =>
      states.reduce((total, state) => total + (counts[state] ?? 0), 0);
    const { business: bizExceptions = 0, ...others } = failedByClass;
    const failed = Object.values(others).reduce((total, tasks) => total + tasks, bizExceptions);
    const FAILED = failed + sum(STATES.FAILED.filter((state) => state !== 'failed'));
    return {
      NEW: sum(STATES.NEW),
      IN_PROGRESS: sum(STATES.IN_PROGRESS),
      DONE: sum(STATES.DONE),
      FAILED,
      bizExceptions,
      appExceptions: FAILED - bizExceptions,
      avgProcessingMs: processingMs.count === 0 ? null : Math.round(processingMs.total / processingMs.count),
    };
  }
}

const alreadyThere = ({
  name,
  description,
  max_retries,
  enforce_unique_reference,
}: ReturnType<typeof queueView>): string =>
  `Expected a queue of another name, but '${name}' exists, with max_retries ${max_retries}, ` +
  `enforce_unique_reference ${enforce_unique_reference} and the description '${description}'`;

const policyOf = ({
  max_retries = 0,
  enforce_unique_reference,
}: Omit<NewQueue, 'name' | 'description'>): PolicyChanges => ({
  uniqueReference: enforce_unique_reference ? 'always' : 'off',
  // Robots report no class.
  errorClasses: 'guessed',
  ...(max_retries > 0 && { onFailure: 'retry', retry: { maxAttempts: max_retries + 1 } }),
});
