import { holdStream } from '../../../src/domain/hold/hold.stream.js';
import { uuidv7 } from 'uuidv7';
import {
  type AppendItem,
  type AppendResult,
  type Envelope,
  type EventStore,
  type AppendConditions,
  NO_STREAM,
  type RecordedEvent,
} from '../../../src/application/kernel/event-store.port.js';
import { eventsOf } from '../../../src/application/kernel/log-segment.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import { taskIdOf, taskStream } from '../../../src/domain/task/task.stream.js';
import {
  claim,
  defineQueue,
  enqueue,
  enqueued,
  failed,
  item,
  policyChanged,
  succeeded,
  toAppend,
} from '../../support/events.js';
import { logOrderCases } from './log-order.cases.js';
import { prerequisiteCases } from './prerequisites.cases.js';
import { scanned } from '../../support/scanned.js';

const doneBy = (actor: string, done: AppendItem): AppendItem => ({
  ...done,
  events: done.events.map((event) => ({ ...event, envelope: { ...event.envelope, actor } })),
});

const isUnchanged = (result: AppendResult, expected: number): boolean =>
  result.kind === 'conflict' && result.actual === expected;

export interface Adapter {
  readonly store: EventStore;
  close(): Promise<void>;
}

export interface ContractOptions {
  /** The adapter's name in the output. */
  readonly name: string;
}

/** The behaviour of every event store. Each adapter's spec runs it. Every case uses new streams and queues. */
export function eventStoreContract({ name }: ContractOptions, open: () => Promise<Adapter>): void {
  let cases = 0;
  afterEach(() => {
    cases += 1;
  });
  afterAll(() => void process.stderr.write(`Event store contract: ${name}, ${cases} cases\n`));

  let adapter: Adapter;
  let store: EventStore;
  let queue: string;

  beforeAll(async () => {
    adapter = await open();
    store = adapter.store;
  });
  afterAll(() => adapter.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await store.append([defineQueue(queue)]);
  });

  /** Repeats like any caller: a store that had too little time may answer a conflict at the expected revision. */
  const append = async (...items: AppendItem[]): Promise<readonly AppendResult[]> => {
    const results = await store.append(items);
    const again = items.filter(({ expected }, at) => isUnchanged(results[at]!, expected));
    if (again.length === 0) return results;
    const later = (await append(...again)).values();
    return items.map(({ expected }, at) => (isUnchanged(results[at]!, expected) ? later.next().value! : results[at]!));
  };
  const only = async (one: AppendItem) => (await append(one))[0]!;
  const stored = async (one: AppendItem) => {
    expect(await only(one)).toMatchObject({ kind: 'appended' });
    return one;
  };
  const read = async (stream: string) => (await store.readStreams([stream]))[0]!;
  const running = async (of: AppendItem) => {
    const claimed = claim(of);
    expect(await only(claimed.item)).toMatchObject({ kind: 'appended' });
    return claimed;
  };
  const succeed = (of: AppendItem, { token, secret }: { token: string; secret: string }, key?: string) =>
    item(of.stream, 1, [succeeded(queue, token, key === undefined ? {} : { key })], { lease: { token, secret } });

  describe('append', () => {
    it('stores an event and returns it with its envelope, position and time', async () => {
      const task = enqueue(queue, {
        payload: { text: 'ü \u2028 "quoted" \\ back', n: 9_007_199_254_740_991 },
        priority: 3,
      });
      const envelope: Required<Envelope> = {
        actor: 'Åda',
        agent: 'an assistant',
        correlationId: 'c-1',
        reason: 'a "good" one',
        causationId: 'e-1',
        tenant: 'acme',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        policyVersion: 3,
      };
      const one = { ...task, events: [{ ...task.events[0]!, envelope }] };
      const result = await only(one);
      const [recorded] = await read(one.stream);
      expect(result).toMatchObject({ kind: 'appended', revision: 0 });
      expect(recorded).toEqual({
        position: (result as { position: bigint }).position,
        stream: one.stream,
        revision: 0,
        id: one.events[0]!.id,
        recordedAt: (result as { recordedAt: string }).recordedAt,
        event: one.events[0]!.event,
        envelope,
      });
      expect(recorded!.recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    it('finds each event at its position, and none at another', async () => {
      await store.append([enqueue(queue), enqueue(queue), enqueue(queue)]);
      const events = (await store.readAll((await read(queueStream(queue)))[0]!.position, 3)) as RecordedEvent[];
      for (const recorded of events) expect(await store.readAt(recorded.position)).toEqual(recorded);
      await expect(store.readAt(events.at(-1)!.position + 1_000_000n)).rejects.toThrow();
    });

    it('answers an empty append with an empty list', async () => expect(await store.append([])).toEqual([]));

    it('given another revision, answers a conflict with the actual one and stores nothing', async () => {
      const one = enqueue(queue);
      await only(one);
      expect(await only(item(one.stream, NO_STREAM, [enqueued(queue)]))).toEqual({ kind: 'conflict', actual: 0 });
      expect(await only(claim(one, { expected: 4 }).item)).toEqual({ kind: 'conflict', actual: 0 });
      expect(await read(one.stream)).toHaveLength(1);
    });

    it('recognises a repeated append by its event ids', async () => {
      const one = item(taskStream(uuidv7()), NO_STREAM, [
        enqueued(queue),
        { type: 'TaskReleased', version: 1, data: { queue, by: 'x' } },
      ]);
      const first = await only(one);
      const second = await only(one);
      expect(second).toEqual({ kind: 'duplicate', position: (first as { position: bigint }).position, revision: 1 });
      expect(await read(one.stream)).toHaveLength(2);
    });

    it('recognises a repeated append even after the stream has grown', async () => {
      const one = enqueue(queue);
      const first = await only(one);
      await running(one);
      expect(await only(one)).toEqual({
        kind: 'duplicate',
        position: (first as { position: bigint }).position,
        revision: 0,
      });
    });

    it('given two concurrent appends to a stream, stores one of them', async () => {
      const one = enqueue(queue);
      await only(one);
      const results = await Promise.all([only(claim(one).item), only(claim(one).item)]);
      expect(results.map(({ kind }) => kind).sort()).toEqual(['appended', 'conflict']);
      expect(await read(one.stream)).toHaveLength(2);
    });

    it('given 500 items of which one conflicts, stores the other 499 and no part of that one', async () => {
      const taken = enqueue(queue);
      await only(taken);
      const items = Array.from({ length: 500 }, () => enqueue(queue));
      const clash = item(taken.stream, NO_STREAM, [
        enqueued(queue),
        { type: 'TaskReleased', version: 1, data: { queue, by: 'x' } },
      ]);
      items[250] = clash;
      const results = await append(...items);
      expect(results.filter(({ kind }) => kind === 'appended')).toHaveLength(499);
      expect(results[250]).toEqual({ kind: 'conflict', actual: 0 });
      const streams = await store.readStreams(items.map(({ stream }) => stream));
      expect(streams.every((events) => events.length === 1)).toBe(true);
    });

    it('given 500 items of which a constraint refuses one, stores the other 499', async () => {
      const holder = enqueue(queue, { key: 'k' });
      await only(holder);
      const items = Array.from({ length: 500 }, (_, at) =>
        enqueue(queue, at === 123 ? { key: 'k' } : { key: `k${at}` }),
      );
      const results = await append(...items);
      expect(results[123]).toEqual({ kind: 'refused', constraint: 'key-waiting', taskId: taskIdOf(holder.stream) });
      expect(results.filter(({ kind }) => kind === 'appended')).toHaveLength(499);
      expect(await read(items[123]!.stream)).toEqual([]);
    });

    describe('given a task that is created and claimed in one append', () => {
      const started = (key: string) => {
        const created = enqueue(queue, { key }, { keyFree: { queue, key } });
        const { item: claimItem, token, secret } = claim(created);
        const all = { ...created, events: [...created.events, ...claimItem.events], leaseSecret: secret };
        return { item: all, token, secret };
      };

      it('stores it with its claim, under which it is settled', async () => {
        const { item: start, token, secret } = started('k');
        expect(await only(start)).toMatchObject({ kind: 'appended', revision: 1 });
        expect(await only(start)).toMatchObject({ kind: 'duplicate', revision: 1 });
        const end = item(start.stream, 1, [succeeded(queue, token, { key: 'k' })], { lease: { token, secret } });
        expect(await only(end)).toMatchObject({ kind: 'appended', revision: 2 });
        expect(await only(started('k').item)).toMatchObject({ kind: 'appended' });
      });

      it('refuses it while another task runs or waits under its key', async () => {
        const first = started('k').item;
        await only(first);
        const busy = { kind: 'refused', constraint: 'key-busy' };
        expect(await only(started('k').item)).toEqual({ ...busy, taskId: taskIdOf(first.stream) });
        const waiting = await stored(enqueue(queue, { key: 'l' }));
        expect(await only(started('l').item)).toEqual({ ...busy, taskId: taskIdOf(waiting.stream) });
      });
    });

    it('refuses what a hold in force must not catch, until the hold is lifted', async () => {
      const hold = `maps-${uuidv7()}`;
      const labels = { [hold]: 'yes', more: 'x' };
      const given = { hold, by: 'curator', at: '2026-01-01T00:00:00.000Z' };
      const selector = { labels: { [hold]: 'yes' } };
      const placed = item(holdStream(hold), NO_STREAM, [
        { type: 'HoldPlaced', version: 1, data: { ...given, selector, reason: 'rights' } },
      ]);
      expect(await only(placed)).toMatchObject({ kind: 'appended', revision: 0 });
      const task = await stored(enqueue(queue, { labels }));
      const release = () =>
        item(task.stream, 0, [{ type: 'TaskReprioritised', version: 1, data: { queue, priority: 1, previous: 0 } }], {
          notHeld: labels,
        });
      const refused = { kind: 'refused', constraint: 'held', hold, by: 'curator', reason: 'rights' };
      expect(await only(release())).toEqual(refused);
      expect(await only(item(holdStream(hold), 0, [{ type: 'HoldLifted', version: 1, data: given }]))).toMatchObject({
        revision: 1,
      });
      expect(await only(release())).toMatchObject({ kind: 'appended' });
    });

    it('stores all items of an atomic append or none', async () => {
      const taken = enqueue(queue);
      await only(taken);
      const other = enqueue(queue);
      const results = await store.append([other, item(taken.stream, NO_STREAM, [enqueued(queue)])], { atomic: true });
      expect(results).toEqual([
        { kind: 'conflict', actual: NO_STREAM },
        { kind: 'conflict', actual: 0 },
      ]);
      expect(await read(other.stream)).toEqual([]);
      const stored = await store.append([other, enqueue(queue)], { atomic: true });
      expect(stored.map(({ kind }) => kind)).toEqual(['appended', 'appended']);
    });

    it('checks each item of an atomic append against the effects of those before it', async () => {
      const waiting = enqueue(queue, { key: 'k' });
      await only(waiting);
      const cancelled = { queue, from: 'pending', by: 'x' };
      const next = enqueue(queue, { key: 'k' });
      const leaving = item(waiting.stream, 0, [{ type: 'TaskCancelled', version: 1, data: cancelled }]);
      const stored = await store.append([leaving, next], { atomic: true });
      expect(stored.map(({ kind }) => kind)).toEqual(['appended', 'appended']);
      const refused = await store.append([enqueue(queue, { key: 'l' }), enqueue(queue, { key: 'k' })], {
        atomic: true,
      });
      expect(refused[1]).toEqual({ kind: 'refused', constraint: 'key-waiting', taskId: taskIdOf(next.stream) });
    });

    describe('an atomic append with several items on one stream', () => {
      const cancelled = () => ({ type: 'TaskCancelled', version: 1, data: { queue, from: 'pending', by: 'x' } });
      const prioritised = () => ({ type: 'TaskReprioritised', version: 1, data: { queue, priority: 3, previous: 0 } });

      it('stores them in their order, and recognises the repetition', async () => {
        const [created, other] = [enqueue(queue), enqueue(queue)];
        const items = [
          created,
          other,
          item(created.stream, 0, [prioritised()]),
          item(created.stream, 1, [cancelled()]),
        ];
        const results = await store.append(items, { atomic: true });
        expect(results).toMatchObject([{ revision: 0 }, { revision: 0 }, { revision: 1 }, { revision: 2 }]);
        const positions = results.map((result) => (result as { position: bigint }).position);
        expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
        expect((await read(created.stream)).map(({ event }) => event.type)).toEqual([
          'TaskEnqueued',
          'TaskReprioritised',
          'TaskCancelled',
        ]);
        const again = await store.append(items, { atomic: true });
        expect(again).toEqual(
          positions.map((position, at) => ({ kind: 'duplicate', position, revision: [0, 0, 1, 2][at] })),
        );
      });

      it("checks an item between two of them against the first one's effects only", async () => {
        const waiting = await stored(enqueue(queue, { key: 'k' }));
        const between = enqueue(queue, { key: 'k' });
        const items = [item(waiting.stream, 0, [prioritised()]), between, item(waiting.stream, 1, [cancelled()])];
        const results = await store.append(items, { atomic: true });
        expect(results[1]).toEqual({ kind: 'refused', constraint: 'key-waiting', taskId: taskIdOf(waiting.stream) });
        expect(await read(waiting.stream)).toHaveLength(1);
        const after = [items[0]!, items[2]!, between];
        expect((await store.append(after, { atomic: true })).map(({ kind }) => kind)).toEqual(
          Array(3).fill('appended'),
        );
      });

      it.each<[string, () => Promise<AppendItem>]>([
        ['another revision of its queue', async () => enqueue(queue, {}, { queue: { name: queue, revision: 99 } })],
        [
          'a place that another task has',
          async () => {
            await stored(enqueue(queue, { key: 'k' }));
            return enqueue(queue, { key: 'k' });
          },
        ],
      ])('is refused as a whole if the first one needs %s', async (_, make) => {
        const created = await make();
        const held = { type: 'TaskHeld', version: 1, data: { queue, from: 'pending', heldBy: { by: 'x' } } };
        const results = await store.append([created, item(created.stream, 0, [held])], { atomic: true });
        expect(results.map(({ kind }) => kind)).toEqual(['refused', 'conflict']);
        expect(await read(created.stream)).toEqual([]);
      });

      it('is refused as a whole if the stream has moved on', async () => {
        const created = await stored(enqueue(queue));
        await only(item(created.stream, 0, [prioritised()]));
        const items = [
          item(created.stream, 0, [prioritised()]),
          item(created.stream, 1, [cancelled()]),
          enqueue(queue),
        ];
        expect((await store.append(items, { atomic: true })).map(({ kind }) => kind)).toEqual(
          Array(3).fill('conflict'),
        );
      });

      it('stores an idempotency key with the position of the last item', async () => {
        const [created, idempotencyKey] = [enqueue(queue), { key: uuidv7(), item: 0, fingerprint: 'f', answer: 'a' }];
        const last = item(created.stream, 0, [prioritised()], { idempotencyKey });
        const results = await store.append([created, last], { atomic: true });
        const { position } = results[1] as { position: bigint };
        const [repeated] = await store.append([enqueue(queue, {}, { idempotencyKey })], { atomic: true });
        expect(repeated).toEqual({
          kind: 'refused',
          constraint: 'idempotency-key',
          recorded: { fingerprint: 'f', stream: created.stream, revision: 1, position: String(position), answer: 'a' },
        });
      });
    });

    describe('an atomic append that changes queues', () => {
      const cancelled = (of: AppendItem) =>
        item(of.stream, 0, [{ type: 'TaskCancelled', version: 1, data: { queue, from: 'pending', by: 'x' } }]);
      const on = (type: string, conditions: AppendConditions) =>
        item(queueStream(queue), 0, [{ type, version: 1, data: { queue, by: 'x' } }], conditions);
      const finished = () => on('QueueFinished', { queueEmpty: queue });
      const kinds = (results: readonly AppendResult[]) => results.map(({ kind }) => kind);
      const asOne = (...items: AppendItem[]) => store.append(items, { atomic: true });

      it('finds a queue empty if the items before it ended its tasks', async () => {
        const last = await stored(enqueue(queue));
        const end = finished();
        expect(await asOne(end, cancelled(last))).toEqual([
          { kind: 'refused', constraint: 'queue-not-empty' },
          { kind: 'conflict', actual: 0 },
        ]);
        const refilled = await asOne(cancelled(last), enqueue(queue), end);
        expect(refilled[2]).toEqual({ kind: 'refused', constraint: 'queue-not-empty' });
        expect(await read(queueStream(queue))).toHaveLength(1);
        expect(kinds(await asOne(cancelled(last), end))).toEqual(['appended', 'appended']);
      });

      it('after a conflicting item, does not judge whether the queue is empty', async () => {
        const last = await stored(enqueue(queue));
        const results = await asOne(
          item(
            last.stream,
            3,
            cancelled(last).events.map(({ event }) => event),
          ),
          finished(),
        );
        expect(results).toEqual([
          { kind: 'conflict', actual: 0 },
          { kind: 'conflict', actual: 0 },
        ]);
      });

      it('finds a queue awaited if the items before it leave a queue that waits for it', async () => {
        const other = `q-${uuidv7()}`;
        const waiting = defineQueue(other, { waitsFor: [queue] });
        const deleted = on('QueueDeleted', { notAwaited: queue });
        const results = await asOne(waiting, deleted);
        expect(results[1]).toEqual({ kind: 'refused', constraint: 'queue-awaited', queue: other });
        expect(await read(waiting.stream)).toEqual([]);
        await stored(waiting);
        expect(kinds(await asOne(policyChanged(other, {}), deleted))).toEqual(['appended', 'appended']);
      });

      it('checks tasks by the policies that the items before them set', async () => {
        await stored(enqueue(queue, { key: 'k' }));
        const lining = policyChanged(queue, { duplicatePending: 'allow' });
        const second = () => enqueue(queue, { key: 'k' });
        expect(kinds(await asOne(second(), lining))).toEqual(['refused', 'conflict']);
        expect(kinds(await asOne(lining, second()))).toEqual(['appended', 'appended']);
      });
    });

    it('in an atomic append, accepts a success only under its lease', async () => {
      const { item: claimed, token, secret } = await running(await stored(enqueue(queue)));
      const after = enqueue(queue);
      const wrong = succeed(claimed, { token, secret: uuidv7() });
      expect((await store.append([wrong, after], { atomic: true }))[0]).toMatchObject({ constraint: 'lease' });
      const results = await store.append([succeed(claimed, { token, secret }), after], { atomic: true });
      expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended']);
    });

    it('accepts an item without events only if its stream is at the expected revision', async () => {
      const looked = await stored(enqueue(queue));
      const [at, other] = [enqueue(queue), enqueue(queue)];
      const moved = await store.append([item(looked.stream, 1, []), at], { atomic: true });
      expect(moved).toEqual([
        { kind: 'conflict', actual: 0 },
        { kind: 'conflict', actual: NO_STREAM },
      ]);
      const results = await store.append([item(looked.stream, 0, []), other], { atomic: true });
      expect(results).toMatchObject([{ kind: 'appended', revision: 0 }, { kind: 'appended' }]);
      expect(await read(looked.stream)).toHaveLength(1);
      expect(await store.append([item(looked.stream, 0, []), other], { atomic: true })).toMatchObject([
        { actual: 0 },
        { kind: 'duplicate' },
      ]);
    });

    it('refuses to store an event that it could not read back', async () => {
      const stream = taskStream(uuidv7());
      await expect(append(item(stream, NO_STREAM, [{ type: 'TaskVanished', version: 1, data: {} }]))).rejects.toThrow(
        'TaskVanished',
      );
      await expect(append(item(stream, NO_STREAM, [{ ...enqueued(queue), version: 99 }]))).rejects.toThrow(
        'version 99',
      );
      expect(await read(stream)).toEqual([]);
    });
  });

  describe('constraints', () => {
    it("accepts a condition on the queue only at the queue's current revision", async () => {
      const conditions = { queue: { name: queue, revision: 0 } };
      expect(await only(enqueue(queue, {}, conditions))).toMatchObject({ kind: 'appended' });
      await append(item(`queue-${queue}`, 0, [{ type: 'QueueIntakeOpened', version: 1, data: { queue, by: 'x' } }]));
      expect(await only(enqueue(queue, {}, conditions))).toEqual({
        kind: 'refused',
        constraint: 'queue-changed',
      });
    });

    it('S0-16 given two concurrent enqueues with one key, stores one of them', async () => {
      const [a, b] = [enqueue(queue, { key: 'x' }), enqueue(queue, { key: 'x' })];
      const results = await Promise.all([only(a), only(b)]);
      expect(results.map(({ kind }) => kind).sort()).toEqual(['appended', 'refused']);
    });

    it('S0-16 given two enqueues with one key in one append, stores one of them', async () => {
      const [a, b] = [enqueue(queue, { key: 'x' }), enqueue(queue, { key: 'x' })];
      const results = await append(a, b);
      expect(results[1]).toEqual({ kind: 'refused', constraint: 'key-waiting', taskId: taskIdOf(a.stream) });
    });

    it('S0-17 accepts the same key in two queues', async () => {
      const other = `q-${uuidv7()}`;
      await append(defineQueue(other));
      expect(await only(enqueue(queue, { key: 'x' }))).toMatchObject({ kind: 'appended' });
      expect(await only(enqueue(other, { key: 'x' }))).toMatchObject({ kind: 'appended' });
    });

    it('S0-12 S0-18 given a running task, accepts one waiting task with its key and refuses a second', async () => {
      const first = enqueue(queue, { key: 'x' });
      await only(first);
      await running(first);
      const second = enqueue(queue, { key: 'x' });
      expect(await only(second)).toMatchObject({ kind: 'appended' });
      expect(await only(enqueue(queue, { key: 'x' }))).toMatchObject({
        kind: 'refused',
        taskId: taskIdOf(second.stream),
      });
    });

    it('S0-20 given a waiting task with its key, refuses to retry a failed task', async () => {
      const first = enqueue(queue, { key: 'x' });
      await only(first);
      const { token, secret } = await running(first);
      await append(item(first.stream, 1, failed(queue, token, 'x'), { lease: { token, secret } }));
      const second = enqueue(queue, { key: 'x' });
      await only(second);
      const retried = { type: 'TaskRetried', version: 1, data: { queue, from: 'failed', by: 'x' } };
      expect(await only(item(first.stream, 3, [retried]))).toEqual({
        kind: 'refused',
        constraint: 'key-waiting',
        taskId: taskIdOf(second.stream),
      });
      expect(await read(first.stream)).toHaveLength(4);
    });

    it('given duplicatePending "allow", accepts several waiting tasks with one key', async () => {
      const lined = `q-${uuidv7()}`;
      await append(defineQueue(lined, { duplicatePending: 'allow' }));
      const results = await append(
        enqueue(lined, { key: 'x' }),
        enqueue(lined, { key: 'x' }),
        enqueue(lined, { key: 'x' }),
      );
      expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended', 'appended']);
    });

    it('tells of an id that is taken before a reference that is in use', async () => {
      const [unique, taken] = [`q-${uuidv7()}`, uuidv7()];
      const data = { batch: taken, name: 'b', at: '2026-11-24T00:00:00.000Z' };
      await append(defineQueue(unique, { uniqueReference: 'always' }));
      await append(enqueue(unique, { reference: 'r' }));
      await append(item(`batch-${taken}`, -1, [{ type: 'BatchCreated', version: 1, data }]));
      expect(await only(enqueue(unique, { reference: 'r' }, undefined, taken))).toMatchObject({
        constraint: 'id-taken',
      });
    });

    it.each(['open', 'always'] as const)(
      'given uniqueReference "%s", refuses a task with a reference that is in use',
      async (uniqueReference) => {
        const unique = `q-${uuidv7()}`;
        await append(defineQueue(unique, { uniqueReference }));
        const first = enqueue(unique, { reference: 'r' });
        expect(await only(first)).toMatchObject({ kind: 'appended' });
        const refused = { kind: 'refused', constraint: 'reference', taskId: taskIdOf(first.stream), uniqueReference };
        expect(await only(enqueue(unique, { reference: 'r' }))).toEqual(refused);
        const deleted = { type: 'TaskDeleted', version: 1, data: { queue: unique, from: 'pending', by: 'x' } };
        await append(item(first.stream, 0, [deleted]));
        expect(await only(enqueue(unique, { reference: 'r' }))).toEqual(
          uniqueReference === 'always' ? refused : expect.objectContaining({ kind: 'appended' }),
        );
      },
    );

    it('accepts a settlement only under the standing claim', async () => {
      const one = enqueue(queue);
      await only(one);
      const claimed = await running(one);
      expect(await only(succeed(one, { ...claimed, secret: uuidv7() }))).toMatchObject({
        kind: 'refused',
        constraint: 'lease',
      });
      expect(await only(succeed(one, { ...claimed, token: '1' }))).toMatchObject({
        kind: 'refused',
        constraint: 'lease',
      });
      expect(await only(succeed(one, claimed))).toMatchObject({ kind: 'appended', revision: 2 });
      expect(await read(one.stream)).toHaveLength(3);
    });

    it("accepts an expiry only after the lease's deadline", async () => {
      const [late, early] = [enqueue(queue), enqueue(queue)];
      await append(late, early);
      const [over, standing] = [claim(late, { leaseMs: -1 }), claim(early)];
      await append(over.item, standing.item);
      const expire = (of: AppendItem, token: string) =>
        item(
          of.stream,
          1,
          [{ type: 'TaskLeaseExpired', version: 1, data: { queue, attempt: 1, token, worker: 'w1', ranMs: 1 } }],
          {
            lease: { token, expired: true },
          },
        );
      expect(await only(expire(early, standing.token))).toMatchObject({ kind: 'refused', constraint: 'lease' });
      expect(await only(expire(late, over.token))).toMatchObject({ kind: 'appended' });
    });

    it('accepts a claim id once', async () => {
      const claimId = uuidv7();
      const [a, b] = [enqueue(queue), enqueue(queue)];
      await append(a, b);
      expect(await only(claim(a, { claimId }).item)).toMatchObject({ kind: 'appended' });
      expect(await only(claim(b, { claimId }).item)).toMatchObject({ kind: 'refused', constraint: 'claim-repeated' });
    });

    it('accepts an idempotency key once, and then answers with the first append that took it', async () => {
      const conditions = { idempotencyKey: { key: `${queue} k`, fingerprint: 'f', item: 0, answer: 'recorded' } };
      const one = enqueue(queue, {}, conditions);
      const first = await only(one);
      expect(await only(enqueue(queue, {}, conditions))).toEqual({
        kind: 'refused',
        constraint: 'idempotency-key',
        recorded: {
          fingerprint: 'f',
          stream: one.stream,
          revision: 0,
          position: String((first as { position: bigint }).position),
          answer: 'recorded',
        },
      });
    });

    it('accepts an idempotency key once per item of a request, and for no other request', async () => {
      const keyed = (fingerprint: string, item: number) =>
        only(enqueue(queue, {}, { idempotencyKey: { key: `${queue} k`, fingerprint, item, answer: 'recorded' } }));
      expect(await keyed('f', 0)).toMatchObject({ kind: 'appended' });
      expect(await keyed('f', 1)).toMatchObject({ kind: 'appended' });
      expect(await keyed('g', 2)).toMatchObject({ kind: 'refused', constraint: 'idempotency-key' });
    });

    it('given an append that was refused, does not answer a repetition with its idempotency key', async () => {
      await only(enqueue(queue, { key: 'x' }));
      const conditions = { idempotencyKey: { key: `${queue} k`, fingerprint: 'f', item: 0, answer: 'recorded' } };
      const repeats = Array.from({ length: 4 }, () => only(enqueue(queue, { key: 'x' }, conditions)));
      for (const result of await Promise.all(repeats)) {
        expect(result).toMatchObject({ kind: 'refused', constraint: 'key-waiting' });
      }
    });

    it('accepts conditions on other queues only at their current revisions', async () => {
      const [other, second] = [`q-${uuidv7()}`, `q-${uuidv7()}`];
      await store.append([defineQueue(other)]);
      const guarded = (revision: number) => {
        const { stream, expected, events } = defineQueue(second);
        return item(
          stream,
          expected,
          events.map(({ event }) => event),
          { queueRevisions: [{ name: other, revision }] },
        );
      };
      const changed = { kind: 'refused', constraint: 'queue-changed' };
      expect(await only(guarded(1))).toEqual(changed);
      expect(await only(guarded(-1))).toEqual(changed);
      expect(await only(guarded(0))).toMatchObject({ kind: 'appended' });
    });

    it('refuses to delete a queue that another one waits for', async () => {
      const second = `q-${uuidv7()}`;
      const deletion = () =>
        item(queueStream(queue), 0, [{ type: 'QueueDeleted', version: 1, data: { queue, by: 'x' } }], {
          notAwaited: queue,
        });
      await store.append([defineQueue(second, { waitsFor: ['elsewhere', queue] })]);
      expect(await only(deletion())).toEqual({ kind: 'refused', constraint: 'queue-awaited', queue: second });
      const gone = { type: 'QueueDeleted', version: 1, data: { queue: second, by: 'x' } };
      expect(await only(item(queueStream(second), 0, [gone]))).toMatchObject({ kind: 'appended' });
      expect(await only(deletion())).toMatchObject({ kind: 'appended' });
    });

    it('refuses to finish a queue with open tasks', async () => {
      const finish = (expected: number) =>
        item(`queue-${queue}`, expected, [{ type: 'QueueFinished', version: 1, data: { queue, by: 'x' } }], {
          queueEmpty: queue,
        });
      const one = enqueue(queue);
      await only(one);
      expect(await only(finish(0))).toMatchObject({ kind: 'refused', constraint: 'queue-not-empty' });
      const claimed = await running(one);
      expect(await only(finish(0))).toMatchObject({ kind: 'refused', constraint: 'queue-not-empty' });
      await only(succeed(one, claimed));
      expect(await only(finish(0))).toMatchObject({ kind: 'appended' });
    });
  });

  describe('prerequisites', () => prerequisiteCases({ queue: () => queue, append }));

  describe('the order of the log', () => logOrderCases(() => store));

  describe('reading', () => {
    it('returns streams in the requested order, and an empty list for an unknown one', async () => {
      const [a, b] = [enqueue(queue), enqueue(queue)];
      await append(a, b);
      const unknown = taskStream(uuidv7());
      const streams = await store.readStreams([b.stream, unknown, a.stream, b.stream]);
      expect(streams.map((events) => events.map(({ stream }) => stream))).toEqual([
        [b.stream],
        [],
        [a.stream],
        [b.stream],
      ]);
    });

    it('returns the log in commit order, page by page', async () => {
      const start = await store.head();
      const items = Array.from({ length: 25 }, () => enqueue(queue));
      await append(...items);
      const seen: RecordedEvent[] = [];
      for (let after = start; ; after = seen.at(-1)!.position) {
        const page = await store.readAll(after, 10);
        seen.push(...page);
        if (page.length < 10) break;
      }
      expect(seen.map(({ stream }) => stream)).toEqual(items.map(({ stream }) => stream));
      expect(await store.head()).toBe(seen.at(-1)!.position);
    });

    it('finds a place so many events before another, from which the log can be read up to there', async () => {
      await store.append(Array.from({ length: 7 }, (_, at) => defineQueue(`place-${at}`)));
      const all = await store.readAll(0n, 1_000);
      const { position } = all.at(-1)!;
      const place = await store.placeBefore(position, 3);
      expect(await store.canReadAfter(place)).toBe(true);
      const before: bigint[] = [];
      for (let after = place; after < position;) {
        const { events, reached } = await store.scan({ after, upTo: position }, 1_000, {});
        before.push(...events.map((event) => event.position));
        after = reached;
      }
      expect(before.length).toBeLessThanOrEqual(3);
      expect(before.length).toBeGreaterThan(0);
      expect(before).toEqual(all.slice(-before.length).map((event) => event.position));
      expect(await store.placeBefore(position, 100_000)).toBeLessThan(all[0]!.position);
    });

    it('can begin after every assigned position and after the end', async () => {
      const start = await store.head();
      await append(enqueue(queue), enqueue(queue));
      const given = (await store.readAll(start, 10)).map(({ position }) => position);
      for (const position of [0n, start, ...given, given.at(-1)! + 1_000_000_000n])
        expect([position, await store.canReadAfter(position)]).toEqual([position, true]);
    });

    it('counts the events between two positions, or returns null if positions do not count events', async () => {
      const start = await store.head();
      await append(...Array.from({ length: 3 }, () => enqueue(queue)));
      const head = await store.head();
      const counted = [
        store.countBetween(start, head),
        store.countBetween(head, head),
        store.countBetween(head, start),
      ];
      expect([
        [3, 0, 0],
        [null, null, null],
      ]).toContainEqual(counted);
    });

    it('filters by category, type, queue and actor', async () => {
      const other = `q-${uuidv7()}`;
      const start = await store.head();
      const one = enqueue(queue);
      await append(doneBy('ann', defineQueue(other)));
      await append(one, enqueue(other));
      await running(one);
      const types = async (filter: object) => (await scanned(store, filter, start)).map(({ event }) => event.type);
      expect(await types({ queue: other })).toEqual(['QueueDefined', 'TaskEnqueued']);
      expect(await types({ categories: ['queue'] })).toEqual(['QueueDefined']);
      expect(await types({ types: ['TaskClaimed'] })).toEqual(['TaskClaimed']);
      expect(await types({ categories: ['task'], types: ['TaskEnqueued'], queue })).toEqual(['TaskEnqueued']);
      expect(await types({ actor: 'ann' })).toEqual(['QueueDefined']);
      expect(await types({ actor: 'ann', queue })).toEqual([]);
      expect(await types({ actor: 'tester', queue: other })).toEqual(['TaskEnqueued']);
    });

    it('given a filter that nothing passes, tells how far it looked, from where the log can be read', async () => {
      const start = await store.head();
      await append(...Array.from({ length: 10 }, () => enqueue(queue)));
      const upTo = await store.head();
      const { events, reached } = await store.scan({ after: start, upTo }, 3, { actor: 'nobody' });
      expect(events).toEqual([]);
      expect(reached).toBe(upTo);
      await stored(enqueue(queue));
      expect(await store.readAll(reached, 10)).toHaveLength(1);
    });

    it('scans up to the given position, and from the last event on if there are more than the limit', async () => {
      const start = await store.head();
      await append(...Array.from({ length: 5 }, () => enqueue(queue)));
      const all = await store.readAll(start, 10);
      const scan = (after: bigint, upTo: bigint, limit: number) => store.scan({ after, upTo }, limit, { queue });
      const third = all[2]!.position;
      expect(await scan(start, third, 10)).toEqual({ events: all.slice(0, 3), reached: third });
      expect(await scan(start, all[4]!.position, 2)).toEqual({ events: all.slice(0, 2), reached: all[1]!.position });
      expect(await scan(third, all[4]!.position, 10)).toEqual({ events: all.slice(3), reached: all[4]!.position });
    });
  });

  describe('positionBefore', () => {
    const sinceTime = async (time: string): Promise<string[]> => {
      const after = await store.positionBefore(time);
      return (await store.readAll(after, 1_000)).map(({ stream }) => stream);
    };

    it('given the time of an event, begins with that event', async () => {
      const items = Array.from({ length: 40 }, () => enqueue(queue));
      for (const one of items) await append(one);
      const histories = await store.readStreams(items.map(({ stream }) => stream));
      const times = histories.map(([recorded]) => Date.parse(recorded!.recordedAt));
      for (const at of [0, 1, 20, 38, 39]) {
        const first = times.findIndex((time) => time >= times[at]!);
        const found = await sinceTime(new Date(times[at]!).toISOString());
        expect(found.slice(-(40 - first))).toEqual(items.slice(first).map(({ stream }) => stream));
        expect(found.slice(0, -(40 - first)).some((stream) => items.some((one) => one.stream === stream))).toBe(false);
      }
    });

    it('given a time before the first event, returns the beginning; given one after the last, the head', async () => {
      await append(enqueue(queue));
      const [first] = await store.readAll(0n, 1);
      expect((await store.readAll(await store.positionBefore('1970-01-01T00:00:00.000Z'), 1))[0]).toEqual(first);
      const head = await store.head();
      expect(await store.positionBefore('2999-01-01T00:00:00.000Z')).toBe(head);
      expect(await sinceTime('2999-01-01T00:00:00.000Z')).toEqual([]);
    });
  });

  describe('a single stream', () => {
    it('can be read alone', async () => {
      const start = await store.head();
      const one = enqueue(queue);
      await append(one, enqueue(queue));
      await running(one);
      const upTo = await store.head();
      const read = (after: bigint, limit: number) => store.scan({ after, upTo }, limit, { stream: one.stream });
      const types = async (after: bigint, limit: number) =>
        (await read(after, limit)).events.map(({ event }) => event.type);
      expect(await types(start, 100)).toEqual(['TaskEnqueued', 'TaskClaimed']);
      expect(await types(start, 1)).toEqual(['TaskEnqueued']);
      const { events, reached } = await read(start, 1);
      expect(reached).toBe(events[0]!.position);
      expect(await types(reached, 100)).toEqual(['TaskClaimed']);
      expect(await read(upTo, 100)).toEqual({ events: [], reached: upTo });
    });
  });

  describe('subscription', () => {
    it('yields existing events and then new ones, each exactly once, until it is stopped', async () => {
      const start = await store.head();
      const before = [enqueue(queue), enqueue(queue)];
      await append(...before);
      const stop = new AbortController();
      const seen: string[] = [];
      const later = enqueue(queue);
      for await (const events of store.subscribe(start, { signal: stop.signal, batchSize: 1 })) {
        seen.push(...events.map(({ stream }) => stream));
        if (seen.length === 2 && events.length > 0) await append(later);
        if (seen.length === 3) stop.abort();
      }
      expect(seen).toEqual([...before, later].map(({ stream }) => stream));
    });

    it('yields existing segments to followers and then new ones, each event exactly once, until it is stopped', async () => {
      const start = await store.head();
      const before = Array.from({ length: 70 }, () => enqueue(queue));
      await append(...before);
      const stop = new AbortController();
      const seen: RecordedEvent[] = [];
      const later = enqueue(queue);
      for await (const segments of store.follow(start, { signal: stop.signal, batchSize: 3 })) {
        seen.push(...eventsOf(segments));
        if (seen.length === 70 && segments.length > 0) await append(later);
        if (seen.length === 71) stop.abort();
      }
      expect(seen).toEqual(await store.readAll(start, 100));
      expect(eventsOf(await store.readSegments(seen[4]!.position, 100))).toEqual(seen.slice(5));
      expect(new Set(seen.map(({ stream }) => stream))).toEqual(
        new Set([...before, later].map(({ stream }) => stream)),
      );
    });

    it('yields a heartbeat while there are no events', async () => {
      const stop = new AbortController();
      for await (const events of store.subscribe(await store.head(), { signal: stop.signal, heartbeatMs: 1 })) {
        expect(events).toEqual([]);
        stop.abort();
      }
      expect.assertions(1);
    });

    it('ends at once when it is stopped while waiting', async () => {
      const stop = new AbortController();
      const events = store
        .subscribe(await store.head(), { signal: stop.signal, heartbeatMs: 600_000 })
        [Symbol.asyncIterator]();
      const next = events.next();
      stop.abort();
      expect(await next).toEqual({ done: true, value: undefined });
    });

    it('given concurrent writers, keeps the order of each stream', async () => {
      const start = await store.head();
      const lives = Array.from({ length: 40 }, () => enqueue(queue));
      await Promise.all(
        lives.map(async (one) => {
          await only(one);
          await only(succeed(one, await running(one)));
        }),
      );
      const log = await scanned(store, { queue }, start);
      for (const { stream } of lives) {
        const own = log.filter((recorded) => recorded.stream === stream);
        expect(own.map(({ event }) => event.type)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded']);
      }
      expect(log.map(({ position }) => position)).toEqual(
        log.map(({ position }) => position).sort((a, b) => (a < b ? -1 : 1)),
      );
    });
  });

  it('returns event ids unchanged', async () => {
    const one = { stream: taskStream(uuidv7()), expected: NO_STREAM, events: [toAppend(enqueued(queue))] };
    await append(one);
    expect((await read(one.stream))[0]!.id).toBe(one.events[0]!.id);
  });
}
