import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type LeaseCheck, LeaseRepository } from '../kernel/lease-repository.port.js';
import { type Heartbeat, leaseRef } from './extend-leases.handler.js';

export type { LeaseCheck } from '../kernel/lease-repository.port.js';

/**
 * Tells of each lease whether it stands and whether its worker must stop. Changes nothing, so that a worker with long
 * leases can afford to ask every few seconds. Returns one answer per item, in order.
 */
export class CheckLeases extends Command<readonly LeaseCheck[]> {
  constructor(readonly items: readonly Pick<Heartbeat, 'taskId' | 'token'>[]) {
    super();
  }
}

@CommandHandler(CheckLeases)
export class CheckLeasesHandler implements ICommandHandler<CheckLeases> {
  constructor(private readonly leases: LeaseRepository) {}

  execute({ items }: CheckLeases): Promise<readonly LeaseCheck[]> {
    return this.leases.check(items.map(leaseRef));
  }
}
