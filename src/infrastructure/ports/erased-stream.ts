import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import { idOfStream } from '../../domain/aggregates.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { isErasure } from '../../domain/erased-by.js';
import { sameContent } from '../../domain/kernel/json.js';
import { publicHalf } from '../../domain/public-half.js';
import { restOf } from '../../domain/task/erased-half.js';
import type { TaskError } from '../../domain/task/task.events.js';

/** An event with a private half, and what is left of that: JSON text, or nothing. */
export interface ErasedHalf {
  /** The id of the event. */
  readonly id: string;
  readonly position: string;
  readonly rest: string;
}

export interface ErasedStream {
  readonly id: string;
  readonly name: string;
  readonly halves: readonly ErasedHalf[];
  /** All its events, as they are then. */
  readonly history: readonly RecordedEvent[];
  /** The event that records it, and its order; null before there is one. */
  readonly recorded: { readonly position: string; readonly erasure: string } | null;
  /** Of all its events. */
  readonly positions: readonly string[];
  /** What its row has then, where it was made of private halves. */
  readonly row: object;
}

/** How halves are erased. */
export interface Erasing {
  /** What its row has of contents, by its id and these events. */
  readonly contentsOf: (id: string, history: readonly RecordedEvent[]) => object;
  /** The group of an error, by the rules of the day. */
  readonly groupOf: (error: TaskError) => string;
}

/** What a stream with this history becomes. Its row is made of the events that are left, as a rebuild makes it. */
export function erasedStream(
  name: string,
  history: readonly RecordedEvent[],
  { contentsOf, groupOf }: Erasing,
): ErasedStream {
  const id = idOfStream(name);
  const left = history.map((recorded) => ({ recorded, ...leftOf(recorded.event, groupOf) }));
  const hidden = left.filter(({ recorded, open }) => !sameContent(recorded.event.data, open));
  const then = left.map(({ recorded, event }) => ({ ...recorded, event }));
  return {
    id,
    name,
    halves: hidden.map(({ recorded, rest }) => ({ id: recorded.id, position: String(recorded.position), rest })),
    history: then,
    recorded: recordedIn(history),
    positions: history.map(({ position }) => String(position)),
    row: contentsOf(id, then),
  };
}

function recordedIn(history: readonly RecordedEvent[]): ErasedStream['recorded'] {
  const found = history.find(({ event }) => isErasure(event.type));
  if (!found) return null;
  const { erasure } = found.event.data as { readonly erasure: string };
  return { position: String(found.position), erasure };
}

function leftOf(event: DomainEvent, groupOf: Erasing['groupOf']) {
  const rest = restOf(event, groupOf);
  const open = publicHalf(event).data;
  return { open, rest: rest === null ? '' : JSON.stringify(rest), event: { ...event, data: { ...open, ...rest } } };
}
