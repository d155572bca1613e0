import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../kernel/command-context.js';
import { LeaseExpiry, type OverdueLease } from './lease-expiry.js';

export type { OverdueLease } from './lease-expiry.js';

/** Ends leases whose deadline has passed and returns how many. Skips leases that were extended or settled meanwhile. */
export class ExpireLeases extends Command<number> {
  constructor(
    readonly items: readonly OverdueLease[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ExpireLeases)
export class ExpireLeasesHandler implements ICommandHandler<ExpireLeases> {
  constructor(private readonly expiry: LeaseExpiry) {}

  execute({ items, context }: ExpireLeases): Promise<number> {
    return this.expiry.expire(items, context);
  }
}
