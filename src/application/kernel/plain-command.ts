import type { CommandContext } from './command-context.js';
import type { Refusal } from './event-store.port.js';
import { keyOf } from './idempotency.js';
import type { StreamCommand } from './stream-command.js';
import type { AnsweredCommand } from './stream-commands.js';

/** A command on an aggregate that nothing but its own stream concerns. It is refused only if its events are too large. */
export const plainCommand = <S, C>(
  work: Pick<StreamCommand<S, C>, 'stream' | 'command' | 'load'>,
  context: CommandContext,
  item = 0,
): AnsweredCommand<S, C> => ({
  ...work,
  item,
  conditions: { idempotencyKey: keyOf(context, 'recorded', item) },
  rejectionFor: (refusal: Refusal) => {
    if (refusal.constraint !== 'too-large')
      throw new Error(`Expected '${work.stream}' to meet no constraint '${refusal.constraint}', but it did`);
    return { code: 'EVENT_TOO_LARGE', bytes: refusal.bytes, limit: refusal.limit };
  },
});
