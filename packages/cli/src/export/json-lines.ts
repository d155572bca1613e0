import { jsonLine } from '@waybill/client/words';
import type { EventFormat } from './event-format.js';

/** The events as the API shows them, between a head and an end: what `waybill check` reads. */
export const jsonLines: EventFormat = async function* (events, { isPrivate }) {
  yield jsonLine({ format: 'waybill-log', version: 1, private: isPrivate });
  let count = 0;
  for await (const event of events) {
    yield jsonLine(event);
    count++;
  }
  yield jsonLine({ end: { events: count } });
};
