import { triggerDecider } from '../../src/domain/trigger/trigger.decider.js';
import type { TriggerCommand } from '../../src/domain/trigger/trigger.commands.js';

/** The finest pattern occurs once a minute. These have five occurrences behind them at once. */
export const MONTHLY = { cron: '0 0 1 * *', timeZone: 'UTC', missed: 'each' } as const;
const MONTHS = 4;

/** Lets monthly triggers begin in the past, as if nothing had fired since. */
export function beginInThePast(): void {
  const { decide } = triggerDecider;
  Object.assign(triggerDecider, {
    decide: (command: TriggerCommand, state: never) => decide(backdated(command), state),
  });
}

function backdated(command: TriggerCommand): TriggerCommand {
  if (command.type !== 'DefineTrigger' || !('cron' in command.definition)) return command;
  if (command.definition.cron !== MONTHLY.cron) return command;
  const now = new Date();
  return { ...command, next: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS)).toISOString() };
}
