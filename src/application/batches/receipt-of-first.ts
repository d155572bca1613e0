import type { CommandBus } from '@nestjs/cqrs';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { RunTransaction } from '../transactions/run-transaction.handler.js';
import type { Step } from '../transactions/transaction-step.js';

/** Runs the steps as one transaction, and answers as the first step alone would. Throws a refusal as `Refused`. */
export async function receiptOfFirst(
  bus: CommandBus,
  steps: readonly Step[],
  context: CommandContext,
): Promise<Receipt> {
  try {
    const { position, results, replayed } = await bus.execute(new RunTransaction(steps, context));
    return { ...results[0]!, position, replayed };
  } catch (error) {
    // The caller gave one command, so it must not learn which step was refused.
    throw error instanceof Refused ? new Refused(error.rejection) : error;
  }
}
