import { EventLog, type Recorded } from '../../src/projections/kernel/event-log.port.js';
import { lagsAt } from '../../src/projections/kernel/lag.js';

/** Events at these positions, each recorded a minute after the previous one. */
class Log extends EventLog {
  reads = 0;

  constructor(
    private readonly positions: readonly bigint[],
    private readonly counts: boolean,
  ) {
    super();
  }

  readStreams = () => Promise.resolve([]);
  readFirst = () => Promise.resolve([]);
  head = () => Promise.resolve(this.positions.at(-1)!);
  countBetween = (after: bigint, upTo: bigint) => (this.counts ? Number(upTo - after) : null);

  readAll(after: bigint, limit: number): Promise<readonly Recorded[]> {
    this.reads += 1;
    const found = this.positions.flatMap((position, n) => (position > after ? [{ position, recordedAt: at(n) }] : []));
    return Promise.resolve(found.slice(0, limit) as unknown as Recorded[]);
  }
}

const BEGAN = Date.parse('2026-01-01T00:00:00Z');
const at = (minute: number): string => new Date(BEGAN + minute * 60_000).toISOString();
const endAt = (head: bigint, minute: number) => ({ head, nowMs: BEGAN + minute * 60_000 + 0.25 });
const lagAt = async (log: Log, position: bigint, end: ReturnType<typeof endAt>) =>
  (await lagsAt(log, [position], end)).get(position);

const DENSE = new Log([1n, 2n, 3n], true);
const OFFSETS = new Log([4_096n, 4_311n, 209_877_508n], false);

describe('the lag of a follower', () => {
  it('is the time since the oldest unread event was recorded, and the number of unread events', async () => {
    expect(await lagAt(DENSE, 1n, endAt(3n, 10))).toEqual({ lagEvents: 2, lagSeconds: 9 * 60 });
    expect(await lagAt(DENSE, 2n, endAt(3n, 10))).toEqual({ lagEvents: 1, lagSeconds: 8 * 60 });
  });

  it('has no number of events if positions are offsets, but has the time', async () => {
    expect(await lagAt(OFFSETS, 0n, endAt(209_877_508n, 10))).toEqual({ lagEvents: null, lagSeconds: 10 * 60 });
    expect(await lagAt(OFFSETS, 4_311n, endAt(209_877_508n, 10))).toEqual({ lagEvents: null, lagSeconds: 8 * 60 });
  });

  it('is zero if every event was read, however old the last one is', async () => {
    expect(await lagAt(DENSE, 3n, endAt(3n, 1e6))).toEqual({ lagEvents: 0, lagSeconds: 0 });
    expect(await lagAt(OFFSETS, 209_877_508n, endAt(209_877_508n, 1e6))).toEqual({ lagEvents: null, lagSeconds: 0 });
  });

  it('is more than zero if an event is unread, whatever the clocks say', async () => {
    expect(await lagAt(DENSE, 2n, endAt(3n, 0))).toEqual({ lagEvents: 1, lagSeconds: 0.001 });
  });

  it('is looked up once for all followers at the same position', async () => {
    const log = new Log([1n, 2n], true);
    const lags = await lagsAt(log, [1n, 1n, 2n, 1n], endAt(2n, 5));
    expect([...lags.keys()]).toEqual([1n, 2n]);
    expect(log.reads).toBe(1);
  });
});
