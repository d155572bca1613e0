import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define({ onFailure: 'fail' });
});
afterAll(() => service.stop());

/** Fails a task of each message. Resolves when the groups have them. */
async function fail(...messages: readonly string[]): Promise<void> {
  const mail = service.waybill.queue('mail');
  await mail.enqueueMany(messages.map(() => ({})));
  const claimed = await mail.claim({ worker: 'w', max: messages.length });
  const items = claimed.map(({ taskId, token }, at) => {
    const error = { message: messages[at]!, class: 'transient' } as const;
    return { taskId, token, verdict: { type: 'fail', error } } as const;
  });
  await service.waybill.settle(items);
  await caughtUp('failure-groups');
}

async function caughtUp(follower: string): Promise<void> {
  let last = '0';
  for await (const { position } of service.waybill.events()) last = position;
  await service.caughtUp(follower, last);
}

async function samples(): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const lines = text.matchAll(/^waybill_(failure_group\S*) (\S+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, series, value]) => [series!, Number(value)]));
}

const groupOf = async (message: string): Promise<string> => {
  for await (const one of service.waybill.failures.list()) if (one.message === message) return one.id;
  throw new Error(`Expected a group of '${message}', but there is none`);
};

it('count groups by state, and the failures of open ones', async () => {
  await fail('no route', 'no route', 'no user');
  const [route, user] = [await groupOf('no route'), await groupOf('no user')];
  expect(await samples()).toEqual({
    'failure_groups{state="open"}': 2,
    'failure_groups{state="resolved"}': 0,
    'failure_groups{state="ignored"}': 0,
    failure_groups_returned: 0,
    failure_group_returns_total: 0,
    [`failure_group_tasks_total{group="${route}",class="transient"}`]: 2,
    [`failure_group_tasks_total{group="${user}",class="transient"}`]: 1,
    [`failure_group_attempts_total{group="${route}",class="transient"}`]: 2,
    [`failure_group_attempts_total{group="${user}",class="transient"}`]: 1,
  });
});

it('tell that a resolved group came back, until somebody says something of it', async () => {
  const [route, user] = [await groupOf('no route'), await groupOf('no user')];
  await service.waybill.failures.resolve(route);
  await service.waybill.failures.ignore(user);
  await caughtUp('failure-groups');
  expect(await samples()).toEqual({
    'failure_groups{state="open"}': 0,
    'failure_groups{state="resolved"}': 1,
    'failure_groups{state="ignored"}': 1,
    failure_groups_returned: 0,
    failure_group_returns_total: 0,
  });

  await fail('no route');
  const { position } = await service.eventAfter('0', { type: 'FailureGroupReturned' });
  await service.caughtUp('failure-groups', position);
  expect(await samples()).toMatchObject({
    'failure_groups{state="open"}': 1,
    failure_groups_returned: 1,
    failure_group_returns_total: 1,
    [`failure_group_tasks_total{group="${route}",class="transient"}`]: 3,
  });

  await service.waybill.failures.ignore(route);
  await caughtUp('failure-groups');
  expect(await samples()).toMatchObject({ failure_groups_returned: 0, failure_group_returns_total: 1 });
});

it('have series of the 20 open groups that were seen last', async () => {
  const words = 'abcdefghijklmnopqrstuvwxyz'.slice(0, 22).split('');
  for (const word of words) await fail(`cannot ${word}`);
  const [first, third] = [await groupOf('cannot a'), await groupOf('cannot c')];
  const counted = Object.keys(await samples()).filter((series) => series.startsWith('failure_group_tasks_total'));
  expect(counted).toHaveLength(20);
  expect(counted.filter((series) => series.includes(first))).toEqual([]);
  expect(counted.filter((series) => series.includes(third))).toHaveLength(1);
});
