import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { erasing } from '../../support/subject-keys.js';
import { refusalOf } from '../refusal.js';

const REASON = 'contents are kept for 90 days';

let service: RunningService;
beforeAll(async () => {
  service = await startService(erasing());
  await service.waybill.queue('mail').define({ onFailure: 'fail' });
  await service.waybill.queue('other').define({});
});
afterAll(() => service.stop());

interface Outcome {
  readonly queue?: string;
  readonly days: number;
  readonly labels?: Record<string, string>;
  readonly key?: string;
}

/** The id of a task that ended so many days ago. */
async function ended({ queue = 'mail', days, labels = {}, key }: Outcome): Promise<string> {
  const { id } = await service.waybill
    .queue(queue)
    .enqueue({ to: 'ann' }, { labels, ...(key !== undefined && { key }) });
  const claimed = await service.waybill.queue(queue).claim({ worker: 'w' });
  const error = { message: 'no such ann', class: 'business' } as const;
  const verdict = key === undefined ? { type: 'succeed' as const, result: 'ann' } : { type: 'fail' as const, error };
  await service.waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict })));
  await service.pool.query(`update tasks set finished_at = now() - $2 * interval '1 day' where task_id = $1`, [
    id,
    days,
  ]);
  return id;
}

async function waybill(...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const env = { WAYBILL_URL: service.url };
  const code = await main(args, {
    stdin: Readable.from([]),
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr,
    env,
  });
  for (const stream of [stdout, stderr]) stream.end();
  return { code, said: (await said).join('\n') };
}

const purge = (...args: readonly string[]) => waybill('purge', '--queue', 'mail', '--reason', REASON, ...args);

const payloadsOf = (ids: readonly string[]): Promise<readonly unknown[]> =>
  Promise.all(ids.map(async (id) => (await service.waybill.task(id).get()).payload));

/** What the log has of the tasks' contents or, where they are encrypted, how many keys of them are left. */
async function halvesOf(ids: readonly string[]): Promise<number> {
  const keys = 'select from content_keys where stream = any ($1::uuid[]) and key is not null';
  if (isElsewhere) return (await service.pool.query(keys, [ids])).rowCount!;
  const { rows } = await service.pool.query<{ halves: number }>(
    `select count(*)::int as halves from segments s cross join lateral string_to_table(s.private, E'\\n') with ordinality as l(half, n)
      where s.streams[l.n] = any ($1::uuid[]) and l.half not in ('') and l.half not like '#%'`,
    [ids],
  );
  return rows[0]!.halves;
}

describe('a purge of what ended long ago', () => {
  let old: readonly string[];
  let others: readonly string[];

  beforeAll(async () => {
    old = [await ended({ days: 100 }), await ended({ days: 91 })];
    const waiting = await service.waybill.queue('mail').enqueue({ to: 'ann' }, { dueAt: '2100-01-01T00:00:00Z' });
    others = [
      waiting.id,
      await ended({ days: 89 }),
      await ended({ days: 100, key: 'ann' }),
      await ended({ days: 100, queue: 'other' }),
    ];
  });

  it('is counted by a preview, which changes nothing', async () => {
    expect(await purge('--older-than', '90d', '--preview')).toMatchObject({
      code: 0,
      said: expect.stringContaining('2 tasks; 0 of them have not ended'),
    });
    expect(await payloadsOf(old)).toEqual([{ to: 'ann' }, { to: 'ann' }]);
  });

  it('erases the contents of the old tasks of its queue, and of no others', async () => {
    const halvesOfOthers = await halvesOf(others);
    expect(halvesOfOthers).toBeGreaterThan(0);
    expect(await purge('--older-than', '90d', '--yes')).toMatchObject({
      code: 0,
      said: expect.stringContaining('2 tasks erased'),
    });
    expect([await payloadsOf(old), await halvesOf(old), await halvesOf(others)]).toEqual([
      [null, null],
      0,
      halvesOfOthers,
    ]);
    expect(await payloadsOf(others)).toEqual(others.map(() => ({ to: 'ann' })));
    const history = await service.waybill.task(old[0]!).history();
    expect(history.at(-1)).toMatchObject({ type: 'TaskErased', envelope: { reason: REASON } });
  });

  it('passes over what is erased already, and says so if nothing is left', async () => {
    const { code } = await refusalOf(service.waybill.erase({ queue: 'mail', endedBefore: '90d' }, REASON));
    expect(code).toBe('NO_TASK_MATCHES');
  });

  it('passes over tasks under a legal hold, and erases the others', async () => {
    const labels = { customer: 'ann' };
    await service.waybill.holds.place('lawsuit', labels, { forbidsErasure: true });
    const [held, free] = [await ended({ days: 100, labels }), await ended({ days: 100 })];
    expect(await purge('--older-than', '90d', '--yes')).toMatchObject({
      code: 0,
      said: expect.stringContaining('1 task erased'),
    });
    expect(await payloadsOf([held, free])).toEqual([{ to: 'ann' }, null]);
  });

  it('needs a queue, and takes no other subject beside', async () => {
    const subjects = [{ endedBefore: '90d' }, { endedBefore: '90d', queue: 'mail', task: old[0]! }];
    for (const subject of subjects)
      expect((await refusalOf(service.waybill.erase(subject as never, REASON))).code).toBe('INVALID_INPUT');
  });
});
