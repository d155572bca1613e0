import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownEvent } from '../../../src/application/kernel/event-store.port.js';
import { NO_STREAM } from '../../../src/application/kernel/event-store.port.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import type { LogTimes, PositionsAround } from '../../../src/infrastructure/past/log-times.port.js';
import { PostgresLogTimes } from '../../../src/infrastructure/past/postgres-log-times.js';
import { ScannedLogTimes } from '../../../src/infrastructure/past/scanned-log-times.js';
import { PostgresTimeMarks } from '../../../src/infrastructure/past/postgres-time-marks.js';
import type { MarkedStretch, TimeMarks } from '../../../src/infrastructure/past/time-marks.port.js';
import { TimesIndex } from '../../../src/infrastructure/past/times-index.js';
import { TimesKeeper } from '../../../src/infrastructure/past/times-keeper.js';
import { item, queueDefined } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-01T00:00:00.000Z');
const STRETCH = 4;

/** A clock that goes on by a minute, an hour ahead in the second quarter and an hour behind in the last one. */
const TIMES = Array.from({ length: 38 }, (_, at) => {
  const step = at >= 10 && at < 20 ? HOUR : at >= 30 ? -HOUR : 0;
  return START + at * 60_000 + step;
});

/** Looks at every event. */
function naive(time: number, positions: readonly bigint[]): PositionsAround {
  const [first, last] = [TIMES.findIndex((one) => one > time), TIMES.findLastIndex((one) => one <= time)];
  const before = first < 0 ? null : first === 0 ? 0n : positions[first - 1]!;
  return { before, last: last < 0 ? null : positions[last]! };
}

/** Around the time of each event, and before and after all. */
const ASKED = [START - HOUR, ...TIMES.flatMap((time) => [time - 1, time, time + 1]), START + 9 * HOUR];

/** Keeps stretches in memory. */
class KeptMarks implements TimeMarks {
  readonly kept: MarkedStretch[] = [];

  from(after: bigint): Promise<readonly MarkedStretch[]> {
    return Promise.resolve(this.kept.filter((stretch) => stretch.after >= after));
  }

  add(stretch: MarkedStretch): Promise<void> {
    this.kept.push(stretch);
    return Promise.resolve();
  }
}

/** By a process that has just started. */
async function compare(
  times: LogTimes,
  head: bigint,
  positions: readonly bigint[],
  marks: TimeMarks = new KeptMarks(),
): Promise<void> {
  const index = new TimesIndex(times, marks, () => Promise.resolve(head));
  for (const time of ASKED) expect([time, await index.around(time)]).toEqual([time, naive(time, positions)]);
  const told: (number | null)[] = [];
  for (const position of positions) told.push(await index.timeAt(position));
  expect(told).toEqual(TIMES);
}

describe('the index of the times of the log in Postgres', () => {
  let fixture: PostgresFixture;
  beforeAll(async () => {
    fixture = await openPostgresStore();
    for (let at = 0; at < TIMES.length; at++)
      await fixture.store.append([item(queueStream(`q${at}`), NO_STREAM, [queueDefined(`q${at}`)])]);
    const stamps = TIMES.map((time) => new Date(time).toISOString());
    await fixture.pool.query(
      'update segments s set recorded_at = t.at from unnest($1::timestamptz[]) with ordinality as t(at, n) where s.position = t.n',
      [stamps],
    );
  });
  afterAll(() => fixture.close());

  it('finds what a look at every event finds, also where the clock was set', async () => {
    const positions = TIMES.map((_, at) => BigInt(at + 1));
    await compare(new PostgresLogTimes(fixture.pool, STRETCH), await fixture.store.head(), positions);
  });

  it('finds the same from the stretches that are kept, some of them or all', async () => {
    const positions = TIMES.map((_, at) => BigInt(at + 1));
    const times = new PostgresLogTimes(fixture.pool, STRETCH);
    const marks = new PostgresTimeMarks(fixture.pool);
    await new TimesKeeper(times, marks).keep();
    expect(await marks.from(0n)).toHaveLength(9);
    await compare(times, await fixture.store.head(), positions, marks);
    await fixture.pool.query('delete from log_times where after = 16');
    expect(await marks.from(0n)).toHaveLength(4);
    await compare(times, await fixture.store.head(), positions, marks);
    await new TimesKeeper(times, marks).keep();
    expect(await marks.from(0n)).toHaveLength(9);
  });

  it('reads on where it stopped when the log has grown', async () => {
    const times = new PostgresLogTimes(fixture.pool, STRETCH);
    const index = new TimesIndex(times, new PostgresTimeMarks(fixture.pool), () => fixture.store.head());
    const last = await fixture.store.head();
    expect((await index.around(Date.now() - HOUR)).before).toBeNull();
    await fixture.store.append([item(queueStream('later'), NO_STREAM, [queueDefined('later')])]);
    expect(await index.around(START + 2 * HOUR)).toEqual({ before: last, last });
  });
});

describe('the index of the times of a log whose positions have gaps', () => {
  const positions = TIMES.map((_, at) => BigInt(100 + at * 7));
  const events = TIMES.map(
    (time, at) => ({ position: positions[at]!, recordedAt: new Date(time).toISOString() }) as ShownEvent,
  );
  const log = {
    head: () => Promise.resolve(positions.at(-1)!),
    placeBefore: () => Promise.resolve(0n),
    /** Looks through fewer events than there are, as stores do. */
    scan: ({ after, upTo }: { after: bigint; upTo: bigint }, limit: number) => {
      const found = events.filter(({ position }) => position > after && position <= upTo).slice(0, Math.min(limit, 3));
      return Promise.resolve({ events: found, reached: found.length === 3 ? found[2]!.position : upTo });
    },
  };

  it('finds what a look at every event finds, also where the clock was set', () =>
    compare(new ScannedLogTimes(log, STRETCH), positions.at(-1)!, positions));

  it('finds the same from the stretches that are kept', async () => {
    const [times, marks] = [new ScannedLogTimes(log, STRETCH), new KeptMarks()];
    await new TimesKeeper(times, marks).keep();
    expect(marks.kept).toHaveLength(9);
    await compare(times, positions.at(-1)!, positions, marks);
  });
});
