import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import { Reservations } from '../../../src/infrastructure/eventstoredb/reservations/reservations.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { enqueue, item } from '../../support/events.js';
import { openFollowedDispatch } from '../../support/followed-dispatch.js';
import { writesOf } from '../../support/writes-of.js';

/** With three such groups behind it, a look for a cycle goes over some 1,200 edges. */
const WIDE = 90;

const idOf = ({ stream }: AppendItem): string => stream.slice('task-'.length);
const waitFor = (needs: readonly AppendItem[], rest: { batch?: string } = {}): AppendItem =>
  enqueue('wide', { after: needs.map((need) => ({ task: idOf(need) })), ...rest });

/** As a request of its own gives it. */
const requested = (request: string, { events, ...rest }: AppendItem): AppendItem => ({
  ...rest,
  events: events.map((event) => ({ ...event, envelope: { ...event.envelope, correlationId: request } })),
});

describe.each([
  ['Postgres', openDispatch],
  ['another store', openFollowedDispatch],
])('looks for cycles of many requests at once, with the events in %s', (_, open) => {
  const batch = uuidv7();
  let dispatch: DispatchFixture;
  let deep: AppendItem;

  const stored = async (items: readonly AppendItem[]): Promise<readonly AppendItem[]> => {
    const results = await dispatch.store.append(items);
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['appended']));
    return items;
  };
  const layer = (behind: readonly AppendItem[]) => stored(Array.from({ length: WIDE }, () => waitFor(behind)));

  /** They come together, so they share a statement. */
  const kindsOf = async (requests: readonly (readonly AppendItem[])[]): Promise<readonly string[]> => {
    const results = await Promise.all(
      requests.map((items) => dispatch.store.append(items.map((one) => requested(idOf(items[0]!), one)))),
    );
    return results.flat().map(({ kind }) => kind);
  };

  beforeAll(async () => {
    dispatch = await open();
    await dispatch.define('wide');
    deep = (await layer(await layer(await layer(await stored([enqueue('wide')])))))[0]!;
    const data = { batch, name: 'b', at: '2026-11-24T00:00:00.000Z' };
    await stored([item(`batch-${batch}`, -1, [{ type: 'BatchCreated', version: 1, data }])]);
    await layer(await stored([enqueue('wide', { after: [{ batch }] })]));
  });
  afterAll(() => dispatch.close());

  /** Something waits for the batch, so whether a new task of it closes a cycle is looked for. */
  const lookedFor = (): AppendItem => waitFor([deep], { batch });

  it('go over several statements, and every request is stored', async () => {
    let kinds: readonly string[] = [];
    const requests = Array.from({ length: 100 }, () => [lookedFor()]);
    const writes = await writesOf(async () => (kinds = await kindsOf(requests)));
    expect(kinds).toEqual(requests.map(() => 'appended'));
    expect(writes).toBeGreaterThanOrEqual((100 * 1_000) / 40_000);
  });

  it('reserve for each request with its second statement at the latest', async () => {
    const reservations = new Reservations(dispatch.pool);
    const requests = Array.from({ length: 40 }, lookedFor).map((one) => requested(idOf(one), one));
    const answers = await Promise.all(requests.map((one) => reservations.reserve(one)));
    expect(answers.map(({ kind }) => kind)).toEqual(requests.map(() => 'reserved'));
    await reservations.release(requests.map(({ events }) => events[0]!.id));
  });

  it('put off a task with those of its request that wait for it', async () => {
    const put = lookedFor();
    const requests = [...Array.from({ length: 40 }, () => [lookedFor()]), [enqueue('wide'), put, waitFor([put])]];
    expect(await kindsOf(requests)).toEqual(requests.flat().map(() => 'appended'));
  });
});
