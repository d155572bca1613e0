import { sameContent } from '../../../src/domain/kernel/json.js';
import { type CommandAttempt, type History, type Log, push, type Violation, violation } from './history.js';

/** I10: all requests under one idempotency key get one answer, and record once. */
export function* idempotencyViolations({ operations }: History, log: Log): Generator<Violation> {
  const answered = new Map<string, CommandAttempt[]>();
  for (const one of operations)
    if (one.kind === 'command' && one.idempotencyKey !== null && one.outcome === 'ok')
      push(answered, `${one.operation} ${one.on} ${one.idempotencyKey}`, one);
  for (const [key, [first, ...repeats]] of answered)
    for (const repeat of repeats)
      if (!sameContent(first!.answer, repeat.answer))
        yield violation(
          'I10',
          `Expected one answer to '${key}', but ${JSON.stringify(first!.answer)} and ${JSON.stringify(repeat.answer)}`,
          ...[first!, repeat].map(({ answer }) => (answer ? log.at(BigInt(answer.position)) : undefined)),
        );
}
