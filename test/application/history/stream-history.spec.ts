import { expect, it } from '@jest/globals';
import { StreamHistory } from '../../../src/application/history/stream-history.js';
import type { EventFilter, EventReads, LogRange } from '../../../src/application/kernel/event-store.port.js';
import { STEP_BYTES } from '../../../src/domain/kernel/byte-budget.js';

const EVENTS = 5;
const HEAD = 10n;

/** A log whose events lie at every second position. A scan finds one event, as a store that cuts by bytes does. */
function historyOf(payload: string) {
  const asked: EventFilter[] = [];
  const scan = async ({ after, upTo }: LogRange, _: number, filter: EventFilter) => {
    asked.push(filter);
    const position = (after / 2n + 1n) * 2n;
    if (position > upTo) return { events: [], reached: upTo };
    return { events: [{ position, event: { data: { payload } } }], reached: position };
  };
  const history = new StreamHistory({ scan } as unknown as EventReads);
  const page = async (after: bigint, limit: number, upTo = HEAD) => {
    const { events, next } = await history.page('queue-mail', { after, upTo }, limit, { actor: 'ann' });
    return { positions: events.map(({ position }) => Number(position)), next };
  };
  return { asked, page };
}

it('has as many events as asked for, and says where to go on', async () => {
  const { page } = historyOf('small');
  expect(await page(0n, 2)).toEqual({ positions: [2, 4], next: 4n });
  expect(await page(4n, 2)).toEqual({ positions: [6, 8], next: 8n });
  expect(await page(8n, 2)).toEqual({ positions: [10], next: null });
});

it('ends without an empty page, and where its range does', async () => {
  const { page } = historyOf('small');
  expect(await page(0n, EVENTS)).toEqual({ positions: [2, 4, 6, 8, 10], next: null });
  expect(await page(0n, EVENTS, 5n)).toEqual({ positions: [2, 4], next: null });
  expect(await page(HEAD, EVENTS)).toEqual({ positions: [], next: null });
});

it('ends with the event that fills its bytes', async () => {
  const { page } = historyOf('x'.repeat(STEP_BYTES / 2));
  expect(await page(0n, EVENTS)).toEqual({ positions: [2, 4], next: 4n });
});

it('asks the store for the stream by the filter', async () => {
  const { asked, page } = historyOf('small');
  await page(0n, EVENTS);
  expect(asked[0]).toEqual({ stream: 'queue-mail', actor: 'ann' });
});
