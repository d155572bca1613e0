import type { AppendItem } from '../../../application/kernel/event-store.port.js';
import { newId } from '../../../application/kernel/new-id.js';
import { categoryOf } from '../../../domain/aggregates.js';
import { entryOf, eventsWith } from '../../../domain/events.js';
import type { OverdueReservation } from './reservations.js';

/** The event that fences a stream, by the stream's category. */
const FENCES = new Map(
  [...eventsWith('fills-abandoned-place')].map((type) => {
    const { category, version } = entryOf(type)!;
    return [category as string, { type, version }];
  }),
);

/** Whether there is an event for the place of an append to the stream that never came. */
export const canBeFenced = (stream: string): boolean => FENCES.has(categoryOf(stream));

/** The event that takes this place. */
export function fenceOf({ id, name, expected, scope }: OverdueReservation): AppendItem {
  const fence = FENCES.get(categoryOf(name));
  if (!fence)
    throw new Error(`Expected an event for the place of an append to '${name}' that never came, but none is declared`);
  const event = { ...fence, data: { queue: scope, reservation: id } };
  const envelope = { actor: 'reservation-cleaner', correlationId: id };
  return { stream: name, expected, events: [{ id: newId(), event, envelope }] };
}
