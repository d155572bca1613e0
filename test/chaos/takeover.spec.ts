import type { LeaderView, Waybill } from '@waybill/client';
import { FOLLOWED } from '../../src/projections/read-models.js';
import { until } from '../support/until.js';
import { Run } from './run.js';
import { freePort } from './ports.js';
import { type ServiceProcess } from './service-process.js';

/** As required. The time runs from the moment in which the leader stops. */
const TAKEOVER_MS = 10_000;
/** On a machine that is so busy that everything takes several times as long. */
const GRACE_MS = 30_000;
const LEASE_MS = 1_000;

/** What one process does at a time. With the events in EventStoreDB, there are more. */
const ROLES = [
  'sweeper',
  'outbox-relay',
  ...FOLLOWED.map(({ name, version }) => `follower ${name} ${version}`),
  ...(process.env.EVENT_STORE_URL ? ['follower dispatch-index 1', 'reservation-cleaner'] : []),
];

interface LeaderRow {
  readonly role: string;
  readonly holder: string;
  readonly epoch: string;
}

describe('a process that leads and stands still', () => {
  let run: Run;
  let leader: ServiceProcess;
  let other: ServiceProcess;
  let waybill: Waybill;

  beforeAll(async () => {
    run = await Run.open();
    leader = await run.service({ module: 'src/main.ts', port: await freePort() }).ready();
    other = await run.service({ module: 'src/main.ts', port: await freePort() }).ready();
    waybill = run.client(other.url);
    await waybill.queue('mail').define();
    await run.caughtUp();
  });
  afterAll(() => run.close());

  const isOther = ({ process }: LeaderView): boolean => process.endsWith(`:${other.pid}`);

  async function leaders(): Promise<readonly LeaderRow[]> {
    return (await run.pool.query<LeaderRow>('select role, holder, epoch from leaders order by role')).rows;
  }

  async function running(): Promise<number> {
    const { rows } = await run.pool.query<{ running: number }>(
      `select count(*)::int as running from tasks where state = 'running'`,
    );
    return rows[0]!.running;
  }

  it('is replaced in every role within 10 s: leases end, and the followers reach the head', async () => {
    const before = await leaders();
    const { id } = await waybill.queue('mail').enqueue({});
    await waybill.queue('mail').claim({ worker: 'lost', leaseMs: LEASE_MS });
    leader.signal('SIGSTOP');
    const stopped = performance.now();
    await until('the lease to end', async () => ((await waybill.task(id).get()).state === 'pending' ? true : null));
    await run.caughtUp();
    await until('every role to be taken over', async () =>
      (await waybill.system.get()).leaders.every(isOther) ? true : null,
    );
    expect(performance.now() - stopped).toBeLessThan(TAKEOVER_MS + GRACE_MS);
    expect((await fetch(`${other.url}/healthz/ready`)).status).toBe(200);
    // A leader writes down its rounds every few seconds.
    await until('the new leader to tell of its rounds', async () =>
      (await waybill.system.get()).lastSweepSeconds! < TAKEOVER_MS / 1_000 ? true : null,
    );
    const after = await leaders();
    expect(after.map(({ role }) => role)).toEqual(expect.arrayContaining(ROLES));
    expect(after.map(({ role }) => role)).toEqual(before.map(({ role }) => role));
    expect(new Set(after.map(({ holder }) => holder)).size).toBe(1);
    expect(after.filter(({ holder }, at) => holder === before[at]!.holder)).toEqual([]);
  });

  it('changes nothing when it goes on, and leads again when the other one ends', async () => {
    const during = await leaders();
    leader.signal('SIGCONT');
    const mine = run.client(leader.url);
    await mine.queue('mail').enqueue({});
    await run.caughtUp();
    expect(await leaders()).toEqual(during);
    const claimedTasks = await mine.queue('mail').claim({ worker: 'lost', leaseMs: LEASE_MS, max: 10 });
    expect(claimedTasks).toHaveLength(2);
    await other.kill();
    const ended = performance.now();
    await until('the leases to end', async () => ((await running()) === 0 ? true : null));
    await run.caughtUp();
    expect(performance.now() - ended).toBeLessThan(TAKEOVER_MS + GRACE_MS);
  });
});
