import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Leaders, type LeadersOptions, type Leadership } from '../../../src/infrastructure/leadership/leaders.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { until } from '../../support/until.js';

/** Renews so seldom that it stands still, as far as others can see. */
const FROZEN = { ttlMs: 100, renewMs: 1_000_000, retryMs: 10 };
const AWAKE = { ttlMs: 2_000, renewMs: 20, retryMs: 10 };

let db: PostgresFixture;
let all: Leaders[];

beforeEach(async () => {
  db = await openPostgresStore();
  all = [];
});
afterEach(async () => {
  await Promise.all(all.map((one) => one.close()));
  await db.close();
});

function process(options: LeadersOptions): Leaders {
  const leaders = new Leaders(db.pool, options);
  all.push(leaders);
  return leaders;
}

const leads = async ({ term: { role, epoch } }: Leadership): Promise<boolean> =>
  (await db.pool.query<{ leads: boolean }>('select waybill_leads($1, $2) as leads', [role, epoch])).rows[0]!.leads;

const deadline = async (): Promise<string> =>
  (await db.pool.query<{ deadline: string }>('select deadline::text from leaders')).rows[0]!.deadline;

const lead = async (leaders: Leaders): Promise<Leadership> =>
  (await leaders.lead('sweeper', new AbortController().signal))!;

describe('a role', () => {
  it('has one leader at a time', async () => {
    const leadership = await lead(process(AWAKE));
    expect(await process(AWAKE).tryToLead('sweeper')).toBeNull();
    expect(leadership.lost.aborted).toBe(false);
    expect(await leads(leadership)).toBe(true);
  });

  it('is kept by renewals beyond its first deadline', async () => {
    const leadership = await lead(process({ ...AWAKE, ttlMs: 300 }));
    const { rows } = await db.pool.query<{ deadline: string }>('select deadline::text from leaders');
    await until('the first deadline', async () => {
      const now = await db.pool.query<{ over: boolean }>('select clock_timestamp() > $1 as over', [rows[0]!.deadline]);
      return now.rows[0]!.over || null;
    });
    expect(await process(AWAKE).tryToLead('sweeper')).toBeNull();
    expect(await leads(leadership)).toBe(true);
  });

  it('passes to another process when its leader stands still, and the earlier term is fenced off', async () => {
    const before = await lead(process(FROZEN));
    const after = await lead(process(AWAKE));
    expect(BigInt(after.term.epoch)).toBeGreaterThan(BigInt(before.term.epoch));
    expect(await leads(before)).toBe(false);
    expect(await leads(after)).toBe(true);
  });

  it('tells a leader that was overtaken', async () => {
    const leadership = await lead(process(AWAKE));
    await db.pool.query(`update leaders set epoch = epoch + 1`);
    await until('the loss', async () => leadership.lost.aborted || null);
  });

  it('passes at once when its leader hands it over, and no late renewal brings the term back', async () => {
    const leadership = await lead(process(AWAKE));
    await leadership.release();
    expect(await leads(leadership)).toBe(false);
    expect(await process(AWAKE).tryToLead('sweeper')).not.toBeNull();
  });

  it('is not given up by a leader that was overtaken', async () => {
    const before = await lead(process(FROZEN));
    const after = await lead(process(AWAKE));
    await before.release();
    expect(await leads(after)).toBe(true);
  });

  it('is left when the connection is lost, and can be taken back at once, in another term', async () => {
    const leaders = process(AWAKE);
    const before = await lead(leaders);
    await db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await until('the loss', async () => before.lost.aborted || null);
    const after = await lead(leaders);
    expect(BigInt(after.term.epoch)).toBeGreaterThan(BigInt(before.term.epoch));
    expect(await leads(before)).toBe(false);
  });

  it('tells others when a round of its work was done, also after its term', async () => {
    const worked = async (): Promise<string | null> =>
      (await db.pool.query<{ at: string | null }>('select worked_at::text as at from leaders')).rows[0]!.at;
    const leaders = process(AWAKE);
    const leadership = await lead(leaders);
    const renewed = await deadline();
    await until('a renewal', async () => (await deadline()) !== renewed || null);
    expect(await worked()).toBeNull();
    const { rows } = await db.pool.query<{ now: string }>('select clock_timestamp()::text as now');
    leadership.worked();
    const at = (await until('the round', worked))!;
    expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(rows[0]!.now) - 5);
    await leadership.release();
    await lead(process(AWAKE));
    expect(await worked()).toBe(at);
  });

  it('is taken once in a process that asks for it twice at the same time', async () => {
    const leaders = process(AWAKE);
    const terms = await Promise.all([leaders.tryToLead('sweeper'), leaders.tryToLead('sweeper')]);
    expect(terms.filter((leadership) => leadership !== null)).toHaveLength(1);
  });
});
