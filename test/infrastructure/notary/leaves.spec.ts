import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { EventStoreDbLeaves } from '../../../src/infrastructure/eventstoredb/log/eventstoredb-leaves.js';
import { leafHash } from '../../../src/infrastructure/notary/segment-check.js';
import { PostgresLeaves } from '../../../src/infrastructure/notary/postgres-leaves.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { defineQueue, enqueue, ENVELOPE, item, succeeded } from '../../support/events.js';
import { type LogFixture, openLog } from '../../support/eventstoredb/open-log.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const ID = '019ab000-0000-7000-8000-000000000001';

describe('the leaf of a segment in Postgres', () => {
  let fixture: PostgresFixture;
  let leaves: PostgresLeaves;
  beforeAll(async () => {
    fixture = await openPostgresStore();
    leaves = new PostgresLeaves(fixture.pool);
    await fixture.store.append([defineQueue('mail'), enqueue('mail', { payload: 1 }), enqueue('mail', { payload: 2 })]);
  });
  afterAll(() => fixture.close());

  const query = async (text: string) => (await fixture.pool.query<Record<string, string>>(text)).rows;

  it('has place, number of events, time, digest and chain of its row, to the microsecond', async () => {
    const rows = await query(
      `select position, n, position + n - 1 as last, extract(epoch from recorded_at)::text as at, encode(digest, 'hex') as digest, prevs::text from segments order by position`,
    );
    const timeOf = (seconds: string): string => {
      const [whole, part] = seconds.split('.');
      return new Date(Number(whole) * 1_000).toISOString().replace('.000Z', `.${part}Z`);
    };
    expect(rows.map(({ n }) => n)).toEqual([2, 1]);
    expect(await leaves.after(0n, 10)).toEqual(
      rows.map(({ position, n, last, at, digest, prevs }) => ({
        position: BigInt(last!),
        text: `waybill 1 ${position} ${n} ${timeOf(at!)} ${digest} ${prevs ?? '-'}`,
      })),
    );
  });

  it('is the same where it is made to be checked', async () => {
    const [checked, made] = [await leaves.checked(0n, 10), await leaves.after(0n, 10)];
    expect(checked.map(({ position, hash }) => ({ position, hash }))).toEqual(
      made.map(({ position, text }) => ({ position, hash: leafHash(text) })),
    );
    expect(checked.map(({ first, notes }) => [first, notes])).toEqual([
      [1n, {}],
      [3n, {}],
    ]);
  });

  it.each([
    [`streams = ('[2:3]=' || streams::text)::uuid[]`, 'has a list that begins elsewhere'],
    ['streams = array[streams]', 'has a list of lists'],
    ['ids = ids || null::uuid', 'has an id too many'],
    ['ids = array[ids[1], null]', 'lacks an id'],
    [`data = data || E'\\n{}'`, 'has a public half too many'],
    [`private = private || E'\\n'`, 'has a private half too many'],
    [`private = split_part(private, E'\\n', 1)`, 'lacks a private half'],
    [`salts = salts || '\\x00'`, 'has a longer salt'],
    ['private = null', 'has salts without private halves'],
  ])('is altered after %s, because it %s', async (change) => {
    await query('create table kept as table segments');
    await query(`update segments set ${change} where n = 2`);
    const found = await leaves.checked(0n, 10);
    await query('truncate segments; insert into segments select * from kept; drop table kept');
    expect(found.map(({ notes }) => notes.isAltered ?? false)).toEqual([true, false]);
  });

  it('follows the leaf before it', async () => {
    const all = await leaves.after(0n, 10);
    expect(await leaves.after(0n, 1)).toEqual(all.slice(0, 1));
    expect(await leaves.after(all[0]!.position, 10)).toEqual(all.slice(1));
    expect(await leaves.after(all[1]!.position, 10)).toEqual([]);
  });

  it('names the format 0 if the row has no digest, and one is made', async () => {
    const [text] = await query(
      `select waybill_leaf(s) as now, waybill_leaf(jsonb_populate_record(s, '{"digest":null}')) as before from segments s order by position limit 1`,
    );
    expect(text!.before).toBe(text!.now!.replace('waybill 1', 'waybill 0'));
  });

  it.each(['position', 'n', 'recorded_at', 'digest', 'prevs'])('is another if somebody changes %s', async (column) => {
    const value = {
      position: '"7"',
      n: '5',
      recorded_at: '"2026-01-01T00:00:00.000001Z"',
      digest: `"${'\\\\x' + '00'.repeat(32)}"`,
      prevs: '[5]',
    }[column];
    const [row] = await query(
      `select waybill_leaf(s) <> waybill_leaf(jsonb_populate_record(s, '{"${column}":${value}}')) as differs from segments s order by position limit 1`,
    );
    expect(row).toEqual({ differs: true });
  });
});

describe('the leaf of an event in EventStoreDB', () => {
  let fixture: LogFixture;
  beforeAll(async () => {
    fixture = await openLog();
  });
  afterAll(() => fixture.close());

  it('has the digest of its text as it is stored', async () => {
    const recordedAt = '2026-11-27T10:00:00.000Z';
    const given = enqueue('mail', { payload: { to: 'ä', at: 1.5e300 }, labels: { a: 'b' } }, undefined, ID);
    const done = item(taskStream(ID), 0, [succeeded('mail', '1')]);
    await fixture.log.append([given], { recordedAt });
    await fixture.log.append([done], { recordedAt });
    const found = await new EventStoreDbLeaves(fixture.log).after(0n, 10);
    const meta = JSON.stringify({
      $correlationId: ENVELOPE.correlationId,
      actor: ENVELOPE.actor,
      version: 1,
      recordedAt,
    });
    const textOf = ({ events: [one] }: typeof given, revision: number): string =>
      `task ${one!.event.type} 1 1\n${meta}\n-\n${ID} ${revision} ${one!.id} -\n${JSON.stringify(one!.event.data)}\n`;
    expect(found.map(({ position, text }) => text.replace(String(position), 'P'))).toEqual(
      [textOf(given, 0), textOf(done, 1)].map(
        (text) => `waybill 1 P 1 ${recordedAt} ${createHash('sha256').update(text).digest('hex')} -`,
      ),
    );
  });

  it('is read on from any leaf, also where a read ends early because events are large', async () => {
    for (let at = 0; at < 8; at++) await fixture.log.append([enqueue('large', { payload: 'x'.repeat(900_000) })]);
    const leaves = new EventStoreDbLeaves(fixture.log);
    const all = await leaves.after(0n, 100);
    expect([all.length, await leaves.after(all[3]!.position, 100)]).toEqual([10, all.slice(4)]);
  });
});
