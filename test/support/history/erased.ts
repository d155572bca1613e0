import { type History, type Log, type Violation, violation } from './history.js';

/** I12: no event of an erased task says what its payload was. */
export function* erasedViolations({ erased = [] }: History, log: Log): Generator<Violation> {
  for (const taskId of erased)
    for (const recorded of log.tasks.get(taskId) ?? []) {
      const { payload = null, previous = null } = recorded.event.data as { payload?: unknown; previous?: unknown };
      if (payload !== null || previous !== null)
        yield violation(
          'I12',
          `Expected the payload of task '${taskId}' to be erased, but '${recorded.event.type}' has it`,
          recorded,
        );
    }
}
