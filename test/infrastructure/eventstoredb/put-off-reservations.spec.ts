import { describe, expect, it } from '@jest/globals';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import { PutOffReservations } from '../../../src/infrastructure/eventstoredb/reservations/put-off-reservations.js';
import { enqueue } from '../../support/events.js';

const itemOf = (correlationId: string): AppendItem => {
  const { events, ...rest } = enqueue('q');
  return { ...rest, events: events.map((event) => ({ ...event, envelope: { actor: 'tester', correlationId } })) };
};

/** Each item is answered with its stream, once the test lets the request go. */
function held() {
  const sent: { readonly items: readonly AppendItem[]; readonly letGo: () => void }[] = [];
  const putOff = new PutOffReservations<string>(
    (items) => new Promise((resolve) => sent.push({ items, letGo: () => resolve(items.map(({ stream }) => stream)) })),
  );
  return { sent, putOff, items: () => sent.map((one) => one.items) };
}

/** After all promises that can settle have. */
const settled = () => new Promise(setImmediate);

describe('reservations that were put off', () => {
  it('go one request after the other, each with all of its items, and get their own answers', async () => {
    const { sent, putOff, items } = held();
    const [one, other, more] = [itemOf('a'), itemOf('b'), itemOf('a')];
    const answers = Promise.all([one, other, more].map((item) => putOff.reserve(item)));
    await settled();
    expect(items()).toEqual([[one, more]]);
    sent[0]!.letGo();
    await settled();
    expect(items()).toEqual([[one, more], [other]]);
    sent[1]!.letGo();
    expect(await answers).toEqual([one, other, more].map(({ stream }) => stream));
  });

  it('wait for the next turn if the rest of their request is under way', async () => {
    const { sent, putOff, items } = held();
    const [first, late] = [itemOf('a'), itemOf('a')];
    const answered = putOff.reserve(first);
    await settled();
    const lateAnswered = putOff.reserve(late);
    sent[0]!.letGo();
    expect(await answered).toBe(first.stream);
    await settled();
    expect(items()).toEqual([[first], [late]]);
    sent[1]!.letGo();
    expect(await lateAnswered).toBe(late.stream);
  });

  it('do not fail with those before them', async () => {
    const broken = itemOf('a');
    const putOff = new PutOffReservations(async (items) => {
      if (items.includes(broken)) throw new Error('broken');
      return items.map(({ stream }) => stream);
    });
    const next = itemOf('b');
    const [first, second] = await Promise.allSettled([putOff.reserve(broken), putOff.reserve(next)]);
    expect(first).toMatchObject({ status: 'rejected', reason: { message: 'broken' } });
    expect(second).toEqual({ status: 'fulfilled', value: next.stream });
  });
});
