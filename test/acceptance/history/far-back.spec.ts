import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventReads } from '../../../src/application/kernel/event-store.port.js';
import { sizeOf } from '../../../src/application/kernel/log-segment.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { FoldedStates } from '../../../src/infrastructure/past/snapshots/folded-states.js';
import { eventsUntilNext, HERE } from '../../../src/infrastructure/past/snapshots/snapshot.js';
import { Snapshots } from '../../../src/infrastructure/past/snapshots/snapshots.js';
import { STANDING } from '../../../src/projections/kernel/states-then.port.js';
import { logOf, type OpenLog } from '../../support/history/log-of.js';
import { isWithoutGap, keeperOf, momentAt, SOON } from '../../support/history/snapshots-then.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

/** Tasks that stay open: a quarter in extents, and as many with keys, held and failed. */
const OPEN = 120;
const LIVES = 400;
const MOMENTS = 100;
/** Events that are read at once here. */
const PART = 8;
/** The most events of a segment. */
const SEGMENT = 64;

let service: RunningService;
let log: OpenLog;
beforeAll(async () => {
  service = await startService();
  log = logOf(service);
});
afterAll(async () => {
  await log.close();
  await service.stop();
});

const FAIL = { type: 'fail', error: { message: 'no', class: 'business' } } as const;

async function workOff(name: string, verdict: typeof FAIL | { readonly type: 'succeed' }): Promise<void> {
  for (;;) {
    const claimed = await service.waybill.queue(name).claim({ worker: 'w', max: 7 });
    if (claimed.length === 0) return;
    await service.waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict })));
  }
}

async function write(): Promise<void> {
  const [line, keyed, held, failed, busy] = ['line', 'keyed', 'held', 'failed', 'busy'].map((name) =>
    service.waybill.queue(name),
  );
  await busy!.define();
  const some = Array.from({ length: OPEN / 4 }, (_, at) => ({ payload: at }));
  await line!.enqueueMany(some);
  await keyed!.enqueueMany(some.map((task, at) => ({ ...task, key: `k${at}` })));
  await held!.enqueueMany(some.map((task) => ({ ...task, hold: {} })));
  await failed!.define({ retry: { maxAttempts: 1, classes: [] } });
  await failed!.enqueueMany(some);
  await workOff('failed', FAIL);
  for (let done = 0; done < LIVES; done += 20) {
    await busy!.enqueueMany(Array.from({ length: 20 }, () => ({})));
    await workOff('busy', { type: 'succeed' });
  }
}

/** Reads in small parts, and counts the events. */
function counted(): { log: Pick<EventReads, 'readSegments'>; read: () => number } {
  let events = 0;
  const readSegments: EventReads['readSegments'] = async (after, _, needsPrivate) => {
    const segments = await log.readSegments(after, PART, needsPrivate);
    events += sizeOf(segments);
    return segments;
  };
  return { log: { readSegments }, read: () => events };
}

describe('a moment far back', () => {
  it('H-06 is answered from the snapshot before it and the events since, however long the log is', async () => {
    await write();
    await service.pool.query('truncate snapshots, snapshot_tasks');
    const leaders = new Leaders(service.pool);
    const keeper = keeperOf(service.pool, log, leaders);
    keeper.start();
    await until('no gap', () => isWithoutGap(service.pool));
    await keeper.stop();
    await leaders.close();

    const positions: bigint[] = [];
    for await (const { position } of service.waybill.events()) positions.push(BigInt(position));
    const snapshots = new Snapshots(service.pool);
    const most: number[] = [];
    for (let at = 1; at <= MOMENTS; at++) {
      const position = positions[Math.floor((at * positions.length) / MOMENTS) - 1]!;
      const base = await snapshots.before(position);
      const { log: counting, read } = counted();
      const states = new FoldedStates(snapshots, counting, SOON);
      await states.countsOf('busy', momentAt(position));
      await states.idsIn({ state: STANDING[at % STANDING.length]! }, momentAt(position));
      const between = positions.filter((one) => one > base.position && one <= position).length;
      expect([position, read() <= between + PART + SEGMENT]).toEqual([position, true]);
      const bound = 2 * eventsUntilNext(SOON, base) * SOON.positionsPerEvent;
      expect([position, Number(position - base.position) <= bound]).toEqual([position, true]);
      most.push(between);
    }
    expect(positions.length).toBeGreaterThan(3 * LIVES);
    expect(Math.max(...most)).toBeGreaterThan(0);
  });

  it.each([
    ['few tasks', 0, 65_536],
    ['100,000, half of them in extents', 840_000, 280_000],
    ['100,000, none of them', 1_600_000, 400_000],
    ['1,000,000, none of them', 16_000_000, 1_000_000],
  ])('H-06 has a snapshot before it at a bounded distance: %s', (_, bytes, events) => {
    expect(eventsUntilNext(HERE, { bytes })).toBe(events);
  });
});
