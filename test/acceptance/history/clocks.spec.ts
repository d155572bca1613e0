import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { compareMoments, timeOf, wholeLog } from '../../support/moments.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

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
    for (const time of new Set(
      (await wholeLog(service.waybill)).flatMap((event) => [timeOf(event) - 1, timeOf(event)]),
    )) {
      for (const transaction of ids) {
        const [left, right] = [await existed(transaction[0]!, time), await existed(transaction[1]!, time)];
        expect([time, right]).toEqual([time, left]);
      }
    }
  });

  it('H-03 is never an earlier position than an earlier time, and both that it may mean are named', async () => {
    await service.pool.query(STEP);
    await service.restart();
    const named = await compareMoments(service.url, await wholeLog(service.waybill));
    if (!isElsewhere) expect(named).toBeGreaterThan(0);
  });
});
