import { describe, expect, it } from '@jest/globals';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import { PutOffReservations } from '../../../src/infrastructure/eventstoredb/reservations/put-off-reservations.js';
import type { Reservation } from '../../../src/infrastructure/eventstoredb/reservations/reservations.js';
import { enqueue } from '../../support/events.js';

const itemOf = (correlationId: string): AppendItem => {
  const { events, ...rest } = enqueue('q');
  return { ...rest, events: events.map((event) => ({ ...event, envelope: { actor: 'tester', correlationId } })) };
};
const RESERVED: Reservation = { kind: 'reserved', at: '2026-01-01T00:00:00.000Z' };

describe('reservations that were put off', () => {
  it('go one request after the other, each with all of its items', async () => {
    const sent: (readonly AppendItem[])[] = [];
    const putOff = new PutOffReservations(async (items) => {
      sent.push(items);
      return items.map(() => RESERVED);
    });
    const [one, other, more] = [itemOf('a'), itemOf('b'), itemOf('a')];
    expect(await Promise.all([one, other, more].map((item) => putOff.reserve(item)))).toEqual([
      RESERVED,
      RESERVED,
      RESERVED,
    ]);
    expect(sent).toEqual([[one, more], [other]]);
  });

  it('do not fail with those before them', async () => {
    const broken = itemOf('a');
    const putOff = new PutOffReservations(async (items) => {
      if (items.includes(broken)) throw new Error('broken');
      return items.map(() => RESERVED);
    });
    const [first, second] = await Promise.allSettled([putOff.reserve(broken), putOff.reserve(itemOf('b'))]);
    expect(first).toMatchObject({ status: 'rejected', reason: { message: 'broken' } });
    expect(second).toEqual({ status: 'fulfilled', value: RESERVED });
  });
});
