import type { DomainEvent } from '../../domain/kernel/decider.js';
import { type Rejection, unreadable } from './application-error.js';
import type { Outcome } from './stream-command.js';
import type { AnsweredCommand } from './stream-commands.js';

/** Why the aggregate cannot have the command; null if it has. */
export function refusalIn<S, C, E extends DomainEvent, R extends Rejection>(
  outcome: Outcome<S, E, R>,
  command: AnsweredCommand<S, C>,
): Rejection | null {
  switch (outcome.kind) {
    case 'accepted':
    case 'alreadyDone':
      return null;
    case 'rejected':
      return outcome.rejection;
    case 'refused':
      return command.rejectionFor(outcome);
    case 'contended':
      return { code: 'CONTENTION' };
    case 'failed':
      return { code: 'COMMAND_FAILED' };
    case 'unreadable':
      return unreadable(outcome.error);
  }
}
