import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lastWords, type CrashPoint } from './crash-points.js';
import { FailureKills, GROUP, type Say } from './failure-kills.js';

const died = (point: CrashPoint) => ({
  code: null,
  signal: 'SIGKILL',
  errors: '',
  said: lastWords({ point, passage: 1 }),
});

const FOLLOWER: readonly CrashPoint[] = ['before-groups', 'after-groups'];
const COMMAND: readonly CrashPoint[] = ['before-append', 'after-append', 'before-answer', 'after-answer'];
const REACTION: readonly CrashPoint[] = ['before-return', 'after-return', 'before-returned', 'after-returned'];

const EVENTS: readonly (readonly [Say, string])[] = [
  ['resolve', 'FailureGroupResolved'],
  ['ignore', 'FailureGroupIgnored'],
  ['reopen', 'FailureGroupReopened'],
];

describe('kill -9 around groups of failures', () => {
  let kills: FailureKills;
  beforeAll(async () => {
    kills = await FailureKills.open();
  });
  afterAll(() => kills.close());

  it('at every point of the follower counts each failure once', async () => {
    for (const point of FOLLOWER) expect(await kills.killedMeanwhile('projector', point)).toEqual(died(point));
    await kills.service('projector');
    await kills.failed('failure-groups');
    expect(await kills.counted()).toEqual(await kills.recorded());
  });

  it('at every point of the commands records what is said once', async () => {
    const said: string[] = [];
    for (const point of COMMAND)
      for (const [say, type] of EVENTS) {
        expect(await kills.saidAtKill(say, point)).toEqual(died(point));
        said.push(type);
        expect([say, point, await kills.said()]).toEqual([say, point, said]);
      }
  });

  it('at every point of the reaction opens a group again once', async () => {
    await kills.waybill.failures.resolve(GROUP);
    const before = await kills.said();
    for (const point of REACTION) expect(await kills.killedMeanwhile('reactor', point)).toEqual(died(point));
    await kills.service('reactor');
    await kills.failed('reopen-returned-failures');
    expect(await kills.said()).toEqual([...before, 'FailureGroupReturned']);
    await kills.failed('failure-groups');
    expect(await kills.counted()).toEqual(await kills.recorded());
    expect(await kills.violations()).toEqual([]);
  });
});
