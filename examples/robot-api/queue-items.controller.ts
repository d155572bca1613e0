import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Inject,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import type { ClaimedTask, QueueView, Waybill } from '@waybill/client';
import { QueueFinder, WAYBILL } from './queue-finder.js';
import { ItemChange, ItemFilter, NewItem, NewItemByName, NextItem, RobotReport } from './requests.js';
import { StatusChanges } from './status-changes.js';
import { itemSummary, itemView, STATES } from './views.js';

interface Reply {
  status(code: number): unknown;
}

const given = ({ taskId: id, kind, payload, reference, priority, token }: ClaimedTask) => ({
  id,
  kind,
  payload,
  reference,
  priority,
  token,
});

@Controller('api/queue-items')
export class QueueItemsController {
  constructor(
    @Inject(WAYBILL) private readonly waybill: Waybill,
    private readonly queues: QueueFinder,
    private readonly changes: StatusChanges,
  ) {}

  @Post()
  add(@Body() { queue_id, ...item }: NewItem, @Res({ passthrough: true }) reply: Reply) {
    return this.enqueue(this.queues.find(queue_id), item, reply);
  }

  @Post('add')
  addByName(@Body() { queue_name, ...item }: NewItemByName, @Res({ passthrough: true }) reply: Reply) {
    return this.enqueue(this.queues.find(queue_name), item, reply);
  }

  /** 204 if there is no item. The robot needs the token for its report, and a job of a trigger has those of its items. */
  @Get('next')
  async next(@Query() { robot_id = 'robot', ...where }: NextItem, @Res({ passthrough: true }) reply: Reply) {
    const { name } = await this.queues.byEither(where);
    const [item] = await this.waybill.queue(name).claim({ worker: robot_id });
    if (!item) return void reply.status(HttpStatus.NO_CONTENT);
    return { ...given(item), ...(item.items && { items: item.items.map(given) }) };
  }

  /** A page of the items of a queue, by their ids: those that Waybill makes follow the time of creation. */
  @Get()
  async list(@Query() { status, reference, cursor, limit, ...where }: ItemFilter) {
    const queue = await this.queues.byEither(where);
    const q = status && `state:${STATES[status].join(',')}`;
    const { items, nextCursor } = await this.waybill.tasks.page({ queue: queue.name, reference, q }, { cursor, limit });
    return { items: items.map((task) => itemSummary(task, queue)), next_cursor: nextCursor };
  }

  @Get(':id')
  show(@Param('id') id: string) {
    return this.view(id);
  }

  @Put(':id')
  async change(@Param('id') id: string, @Body() change: ItemChange) {
    await this.changes.byAdministrator(id, change);
    return this.view(id);
  }

  @Post(':id/status')
  @HttpCode(HttpStatus.OK)
  async report(@Param('id') id: string, @Body() report: RobotReport) {
    await this.changes.byRobot(id, report);
    return this.view(id);
  }

  @Delete(':id')
  async remove(@Param('id') id: string) {
    await this.changes.byAdministrator(id, { status: 'DELETED' });
    return this.view(id);
  }

  /** 200 and not 201 if the item is one that waits, because it has the same key. */
  private async enqueue(queue: Promise<QueueView>, { payload, ...item }: Omit<NewItem, 'queue_id'>, reply: Reply) {
    const { id, status } = await this.waybill.queue((await queue).name).enqueue(payload, item);
    if (status === 'existing') reply.status(HttpStatus.OK);
    return this.view(id);
  }

  private async view(id: string) {
    const task = await this.waybill.task(id).get();
    return itemView(task, await this.queues.find(task.queue!));
  }
}
