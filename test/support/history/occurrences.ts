import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import type { TriggerEvent } from '../../../src/domain/trigger/trigger.events.js';
import { evolveTrigger, type KnownTrigger, type TriggerState } from '../../../src/domain/trigger/trigger.state.js';
import { TRIGGER_CATEGORY } from '../../../src/domain/trigger/trigger.stream.js';
import { type Log, type Violation, violation } from './history.js';

const isOfTrigger = ({ stream }: RecordedEvent): boolean => stream.startsWith(`${TRIGGER_CATEGORY}-`);

/** The tasks that triggers made. Nobody else enqueued them. */
export const firedTasks = (events: readonly RecordedEvent[]): readonly string[] =>
  events.filter(isOfTrigger).flatMap(({ event }) => {
    const { type, data } = event as TriggerEvent;
    return type === 'TriggerFired' ? data.firings.map(({ task }) => task) : [];
  });

/** I11: every occurrence of a trigger fires once, in order, or is recorded as skipped, and its task exists. */
export function* occurrenceViolations(log: Log): Generator<Violation> {
  const states = new Map<string, TriggerState>();
  for (const recorded of log.events.filter(isOfTrigger)) {
    const before = states.get(recorded.stream) ?? { status: 'unknown' };
    if ('definition' in before) yield* outOfTurn(recorded, before, log);
    states.set(recorded.stream, evolveTrigger(before, recorded.event as TriggerEvent));
  }
}

function* outOfTurn(recorded: RecordedEvent, state: KnownTrigger, log: Log): Generator<Violation> {
  const { type, data } = recorded.event as TriggerEvent;
  if (type !== 'TriggerFired' && type !== 'TriggerSkipped') return;
  const says = `Expected '${data.trigger}' to`;
  for (const { task } of type === 'TriggerFired' ? data.firings : [])
    if (!log.tasks.has(task)) yield violation('I11', `${says} make task '${task}', but it is not in the log`, recorded);
  const next = data.next;
  if (next === undefined) return;
  const occurrences = type === 'TriggerFired' ? data.firings.map(({ occurrence }) => occurrence) : [data.occurrence];
  const [from, to] = [state.next ?? next, next];
  const turns = [from, ...occurrences, to];
  const isInTurn =
    occurrences.every((one) => from <= one && one < to) && new Set(occurrences).size === occurrences.length;
  if (!isInTurn || from >= to)
    yield violation('I11', `${says} go through its occurrences once each, but it went ${turns.join(', ')}`, recorded);
}
