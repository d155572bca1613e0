import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventView } from '@waybill/client';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function all(): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  for await (const event of service.waybill.events()) events.push(event);
  return events;
}

const timeOf = ({ recordedAt }: EventView): number => Date.parse(recordedAt);

/** What a time means, by a look at every event; null if it is before the first one. */
function meant(time: number, events: readonly EventView[]) {
  const later = events.findIndex((event) => timeOf(event) > time);
  const before = later < 0 ? events.at(-1) : events[later - 1];
  const last = events.findLast((event) => timeOf(event) <= time);
  if (!before || !last) return null;
  return { position: before.position, alternative: last.position === before.position ? null : last.position };
}

interface Shown {
  readonly asOf?: { readonly position: string; readonly alternative: string | null };
}

/** What an answer as of the time says of it; null if the time is refused. */
async function shown(time: number) {
  const answer = await fetch(`${service.url}/v1/holds?asOf=${new Date(time).toISOString()}`);
  const { asOf } = (await answer.json()) as Shown;
  return asOf ? { position: asOf.position, alternative: asOf.alternative } : null;
}

async function existed(id: string, time: number): Promise<boolean> {
  const answer = await fetch(`${service.url}/v1/tasks/${id}?asOf=${new Date(time).toISOString()}`);
  return answer.ok;
}

/** In the last hours: the second third of the events an hour ahead, the last one an hour behind. */
const STEP = `update segments s set recorded_at = s.recorded_at - interval '3 hours' + t.step from (
  select position, case ntile(3) over (order by position) when 1 then interval '0' when 2 then interval '1 hour' else interval '-1 hour' end as step
  from segments) t where t.position = s.position`;

describe('a time of a log whose clock was set', () => {
  it('H-09 shows a transaction whole or not at all', async () => {
    const names = ['left', 'right'];
    for (const name of names) await service.waybill.queue(name).define();
    const ids: string[][] = [];
    for (let at = 0; at < 3; at++)
      await service.waybill.transaction((tx) => {
        ids.push(names.map((name) => tx.queue(name).enqueue(at)));
      });
    for (const time of new Set((await all()).flatMap((event) => [timeOf(event) - 1, timeOf(event)]))) {
      for (const transaction of ids) {
        const [left, right] = [await existed(transaction[0]!, time), await existed(transaction[1]!, time)];
        expect([time, right]).toEqual([time, left]);
      }
    }
  });

  it('H-03 is never an earlier position than an earlier time, and both that it may mean are named', async () => {
    await service.pool.query(STEP);
    await service.restart();
    const events = await all();
    const times = [...new Set(events.flatMap((event) => [timeOf(event) - 1, timeOf(event), timeOf(event) + 1]))];
    let last = 0n;
    let named = 0;
    for (const time of times.sort((one, other) => one - other)) {
      const answer = await shown(time);
      expect([time, answer]).toEqual([time, meant(time, events)]);
      if (answer === null) continue;
      expect(BigInt(answer.position)).toBeGreaterThanOrEqual(last);
      last = BigInt(answer.position);
      for (const event of events) if (BigInt(event.position) <= last) expect(timeOf(event)).toBeLessThanOrEqual(time);
      if (answer.alternative !== null) named++;
    }
    if (!isElsewhere) expect(named).toBeGreaterThan(0);
  });
});
