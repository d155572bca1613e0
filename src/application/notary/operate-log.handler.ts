import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import { LOG } from '../../domain/notary/notary.stream.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { NotaryReport } from './notary-report.port.js';

/**
 * Records that what was sealed is not the beginning of the log any more, for the reason of the context. The notary seals on, under another
 * name. `size`: the leaves of the log that is lost. Throws `Refused`.
 */
export class AcceptLoss extends Command<Receipt> {
  constructor(
    readonly size: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Records that the key of a log signs nothing after this, for the reason of the context. The notary signs the log up to here with it once more,
 * and makes another key. `log`: the name of the log that the key signs. Throws `Refused`.
 */
export class RetireKey extends Command<Receipt> {
  constructor(
    readonly log: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(AcceptLoss)
export class AcceptLossHandler implements ICommandHandler<AcceptLoss> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly report: NotaryReport,
  ) {}

  async execute({ size, context }: AcceptLoss): Promise<Receipt> {
    const lost = await this.report.lost();
    return this.commands.runOn(AGGREGATES.notary, LOG, { type: 'AcceptLoss', size, lost }, context);
  }
}

@CommandHandler(RetireKey)
export class RetireKeyHandler implements ICommandHandler<RetireKey> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly report: NotaryReport,
  ) {}

  async execute({ log, context }: RetireKey): Promise<Receipt> {
    const sealed = await this.report.key();
    return this.commands.runOn(AGGREGATES.notary, LOG, { type: 'RetireKey', log, sealed }, context);
  }
}
