import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cliOutput } from '../../support/run-cli.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { erasing } from '../../support/subject-keys.js';
import { until } from '../../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService(erasing());
});
afterAll(() => service.stop());

let ids: { readonly old: string; readonly young: string; readonly failed: string };

async function ended(days: number, key?: string): Promise<string> {
  const mail = service.waybill.queue('mail');
  const { id } = await mail.enqueue({ to: 'ann' }, key === undefined ? {} : { key });
  const [claimed] = await mail.claim({ worker: 'w' });
  const error = { message: 'no such ann', class: 'business' } as const;
  const verdict = key === undefined ? { type: 'succeed' as const, result: 'ann' } : { type: 'fail' as const, error };
  await service.waybill.settle([{ taskId: id, token: claimed!.token, verdict }]);
  await service.pool.query(`update tasks set finished_at = now() - $2 * interval '1 day' where task_id = $1`, [
    id,
    days,
  ]);
  return id;
}

const payloadOf = async (id: string): Promise<unknown> => (await service.waybill.task(id).get()).payload;

async function orders(): Promise<number> {
  const { rowCount } = await service.pool.query(`select from tasks where queue = 'waybill.erasures'`);
  return rowCount!;
}

describe('the contents of a queue', () => {
  beforeAll(async () => {
    await service.waybill.queue('mail').define({ onFailure: 'fail' });
    ids = { old: await ended(31), young: await ended(29), failed: await ended(31, 'ann') };
    await service.waybill.queue('mail').define({ onFailure: 'fail', expireDays: 30 }, { replace: true });
  });

  it('are erased after the days of the policy, of ended tasks only, by an order in the history', async () => {
    await until('the old contents to expire', async () => ((await payloadOf(ids.old)) === null ? true : null));
    expect([await payloadOf(ids.young), await payloadOf(ids.failed)]).toEqual([{ to: 'ann' }, { to: 'ann' }]);
    const history = await service.waybill.task(ids.old).history();
    expect(history.at(-1)).toMatchObject({
      type: 'TaskErased',
      envelope: { reason: "contents of 'mail' expire after 30 days" },
    });
    expect(await orders()).toBe(1);
  });

  it('are erased by an order that a label of the submitters does not meet', async () => {
    await service.waybill.queue('other').define();
    const { id } = await service.waybill.queue('other').enqueue({ to: 'ann' }, { labels: { expires: 'mail' } });
    const { items } = await service.waybill.tasks.page({ q: 'label.expires:mail' });
    expect(items.map((task) => task.id)).toEqual([id]);
    const subject = { label: { name: 'expires', value: 'mail' } };
    expect(await service.waybill.erase(subject, 'Art. 17', { preview: true })).toMatchObject({ tasks: 1 });
  });

  it('are told of by the command line: when they expire, what expired last, and why a task has none', async () => {
    const [last] = (await service.waybill.tasks.page({ q: 'queue:waybill.erasures label.waybill.expires:mail' })).items;
    await until('the order to end', async () => (await service.waybill.task(last!.id).get()).finishedAt);
    const retention = await cliOutput(service.url, 'queue retention mail');
    expect(retention).toMatch(/contents expire +30 days after the end of a task, each day at 00:00 UTC/);
    expect(retention).toMatch(new RegExp(`last expiry +\\S+, of 1 task, by ${last!.id}`));
    const shown = await cliOutput(service.url, `task show ${ids.old}`);
    expect(shown).toMatch(new RegExp(`erased +\\S+ by ${last!.id}: contents of 'mail' expire after 30 days`));
    expect(await cliOutput(service.url, `task show ${ids.young}`)).not.toContain('erased');
  });
});
