import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../packages/cli/src/index.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

describe('events that are put aside', () => {
  let service: RunningService;
  let position: string;

  beforeAll(async () => {
    service = await startService();
    const mail = service.waybill.queue('mail');
    await mail.define();
    ({ position } = await mail.enqueue({ payload: 1 }));
  });
  afterAll(() => service.stop());

  const putAside = (follower: string, line: string, retry: string | null) =>
    service.pool.query(
      `insert into events_put_aside (follower, line, position, error, retry_at, tries)
       values ($1, $2, $3, 'no such thing', now() + $4::interval, 2)`,
      [follower, line, position, retry],
    );

  async function system(): Promise<string> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const env = { WAYBILL_URL: service.url };
    await main(['system'], { stdin: Readable.from([]), stdout: stdout as never, stderr, env });
    stdout.end();
    return text(stdout);
  }

  it('are named by the system, the command line and the metrics', async () => {
    await putAside('event-triggers', 'audit', '1 hour');
    await putAside('clear-failures-on-success', position, '1 hour');
    await putAside('dispatch-index', 'lost', null);
    const view = await service.waybill.system.get();
    const same = { position, reason: 'no such thing', tries: 2, since: expect.any(String), until: expect.any(String) };
    expect(view.eventsPutAside).toBe(3);
    expect(view.firstEventsPutAside).toHaveLength(3);
    for (const one of [
      { reaction: 'event-triggers', trigger: 'audit', ...same },
      { reaction: 'clear-failures-on-success', trigger: null, ...same },
      { reaction: 'dispatch-index', trigger: 'lost', ...same, until: null },
    ])
      expect(view.firstEventsPutAside).toContainEqual(one);
    const told = await system();
    for (const line of [
      /put aside\s+3 events/,
      /audit; next .+: no such thing/,
      /clear-failures-on-success; next/,
      /lost; next when a service starts/,
    ])
      expect(told).toMatch(line);
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^waybill_events_put_aside 3$/m);
  });

  it('are found in the log when they are due, and dealt with', async () => {
    await service.pool.query(`delete from events_put_aside where follower = 'dispatch-index'`);
    await service.pool.query('update events_put_aside set retry_at = now()');
    const gone = async () => (await service.waybill.system.get()).eventsPutAside === 0 || null;
    await until('all events to be dealt with', gone);
    expect(await system()).not.toContain('put aside');
  });
});
