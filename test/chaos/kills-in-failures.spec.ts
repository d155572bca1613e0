import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lastWords, type CrashPoint } from './crash-points.js';
import { FailureKills } from './failure-kills.js';

const died = (point: CrashPoint) => ({
  code: null,
  signal: 'SIGKILL',
  errors: '',
  said: lastWords({ point, passage: 1 }),
});

/** `kills-in-failures.nightly.spec` has every point. */
describe('kill -9 around groups of failures', () => {
  let kills: FailureKills;
  beforeAll(async () => {
    kills = await FailureKills.open();
  });
  afterAll(() => kills.close());

  it('counts each failure once, records what is said once, and opens a group again once', async () => {
    expect(await kills.killedMeanwhile('projector', 'before-groups')).toEqual(died('before-groups'));
    const projector = await kills.service('projector');
    await kills.failed('failure-groups');
    expect(await kills.counted()).toEqual(await kills.recorded());

    expect(await kills.saidAtKill('resolve', 'after-append')).toEqual(died('after-append'));
    expect(await kills.said()).toEqual(['FailureGroupResolved']);

    expect(await kills.killedMeanwhile('reactor', 'after-return')).toEqual(died('after-return'));
    const reactor = await kills.service('reactor');
    await kills.failed('reopen-returned-failures');
    expect(await kills.said()).toEqual(['FailureGroupResolved', 'FailureGroupReturned']);
    await kills.failed('failure-groups');
    expect(await kills.counted()).toEqual(await kills.recorded());
    expect(await kills.violations()).toEqual([]);
    await Promise.all([projector, reactor].map((one) => one.kill()));
  });
});
