import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { type QueueView, type Waybill, WaybillError } from '@waybill/client';

export const WAYBILL = Symbol('waybill');

/** Finds queues by id, as the administration names them, or by name, as robots do. */
@Injectable()
export class QueueFinder {
  constructor(@Inject(WAYBILL) private readonly waybill: Waybill) {}

  async byEither({ queue_id, queue_name }: { queue_id?: string; queue_name?: string }): Promise<QueueView> {
    const named = queue_name ?? queue_id;
    if (named === undefined) throw new BadRequestException('Expected queue_name or queue_id, but got neither');
    return this.find(named);
  }

  async find(nameOrId: string): Promise<QueueView> {
    try {
      return await this.waybill.queue(nameOrId).get();
    } catch (error) {
      if (!(error instanceof WaybillError) || error.code !== 'QUEUE_NOT_FOUND') throw error;
      throw new NotFoundException(`Expected a queue, but there is no '${nameOrId}'`);
    }
  }
}
