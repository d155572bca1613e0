import type { TriggerEvent } from '../../domain/trigger/trigger.events.js';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import type { NamedKind, PastView } from '../kernel/named-as-of.js';
import { triggerRow } from '../kernel/rows/trigger-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import type { TriggerEntity } from './trigger.entity.js';
import { rowOf, type TriggerRow } from './triggers.queries.js';

export const TRIGGERS_THEN: NamedKind<TriggerRow> = {
  rows: 'triggers',
  isListedNow: "state <> 'deleted'",
  streamOf: triggerStream,
  at: triggerAt,
  isListed: () => true,
};

/** A look into a queue that finds nothing is no event, but moves the next one. */
function triggerAt(history: readonly Recorded[]): PastView<TriggerRow> | null {
  const row = entityOf(history);
  if (row.state === 'deleted') return null;
  const view = rowOf(row);
  return 'queue' in row.definition
    ? { view: { ...view, next: null }, notRecorded: ['next'] }
    : { view, notRecorded: [] };
}

const timeOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

function entityOf(history: readonly Recorded[]): TriggerEntity {
  const row = triggerRow(eventsIn<TriggerEvent>(history)) as Readonly<Record<string, never>>;
  const { revision, position } = history.at(-1)!;
  return {
    name: row.name!,
    revision,
    position: String(position),
    state: row.state!,
    definition: row.definition!,
    nextAt: timeOf(row.next_at),
    owed: row.owed ?? null,
    skipped: row.skipped ?? null,
    failures: row.failures!,
    problem: row.problem ?? null,
    retryAt: timeOf(row.retry_at),
    lastAt: timeOf(row.last_at),
    lastTask: row.last_task ?? null,
    lastItem: row.last_item ?? null,
    firedAt: timeOf(row.fired_at),
  };
}
