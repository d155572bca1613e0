import { uuidv7 } from 'uuidv7';
import type { EventStore } from '../../../src/application/kernel/event-store.port.js';
import type { Attempted } from '../../projections/random-history.js';
import { historyOf } from '../../projections/random-history.js';
import { item } from '../../support/events.js';

/** Stores the history of a few tasks, one append at a time. */
export async function appendHistory(
  store: EventStore,
  attempted: readonly Attempted[],
  run: string = uuidv7(),
): Promise<void> {
  for (const append of historyOf(attempted, run).appends) {
    const { stream, revision } = append[0]!;
    const [result] = await store.append([
      item(
        stream,
        revision - 1,
        append.map(({ event }) => event),
      ),
    ]);
    if (result!.kind !== 'appended')
      throw new Error(`Expected the history to be stored, but ${JSON.stringify(result)}`);
  }
}
