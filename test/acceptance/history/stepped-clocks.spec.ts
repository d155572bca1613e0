import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OwnPostgres } from '../../chaos/own-postgres.js';
import { Run } from '../../chaos/run.js';
import { clockFolder, removeClocks, SteppedClock } from '../../chaos/stepped-clock.js';
import { compareMoments, timeOf, wholeLog } from '../../support/moments.js';

const HOUR = 3_600;
/** Of the clock of Postgres, in hours ahead of the machine's. */
const STEPS = [0, 1, -1, 0];
/** Larger than all of them, so that every recorded time is over. */
const AFTERWARDS = 2;

describe('a time of a log while the clock of Postgres was stepped', () => {
  let folder: string;
  let clock: SteppedClock;
  let postgres: OwnPostgres;
  let run: Run;
  beforeAll(async () => {
    folder = await clockFolder();
    clock = await SteppedClock.in(folder, 'postgres');
    postgres = await OwnPostgres.start();
    await postgres.pgCtl('restart', ['-m', 'fast'], clock.env);
    run = await Run.open(await postgres.createDatabase());
  });
  afterAll(async () => {
    await run.close();
    await postgres.remove();
    await removeClocks(folder);
  });

  it('H-03 means what a look at every event finds, an hour ahead and an hour behind', async () => {
    for (const [round, hours] of STEPS.entries()) {
      await clock.set(hours * HOUR);
      const service = run.service();
      await service.ready();
      const queue = run.client().queue(`q${round}`);
      await queue.define();
      for (let task = 0; task < 3; task++) await queue.enqueue(task);
      await service.kill();
    }
    await clock.set(AFTERWARDS * HOUR);
    await run.service().ready();

    const events = await wholeLog(run.client());
    const times = events.map(timeOf);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(HOUR * 1_000);
    expect(await compareMoments(run.url, events)).toBeGreaterThan(0);
  });

  it('a search counts how long ago something was by that clock', async () => {
    await clock.set(AFTERWARDS * HOUR);
    const waybill = run.client();
    const late = waybill.queue('late');
    await late.define();
    const { policyVersion } = await late.get();
    await late.changePolicy({ search: ['place'] }, { ifVersion: policyVersion });
    await waybill.createBatch({ name: 'late' });
    // The clock of the service is hours ahead of this machine's, by which the policy is of the future, and the batch, too.
    expect((await waybill.tasks.page({ q: 'payload.place:x since:now' })).items).toEqual([]);
    const named = [];
    for await (const { name } of waybill.batches({ q: 'until:now' })) named.push(name);
    expect(named).toEqual(['late']);
  });
});
