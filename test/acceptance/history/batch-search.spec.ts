import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
/** The batches by the names that the tests give them. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define();
  const { waybill } = service;
  ids['night'] = (await waybill.createBatch({ name: 'nightly-1', labels: { run: '7', site: 'bonn' } })).id;
  ids['second'] = (await service.as('ann').createBatch({ name: 'nightly-2', labels: { run: '8' } })).id;
  ids['import'] = (await service.as('ann').createBatch({ name: 'import', description: 'Letters of 100%' })).id;
  const gone = await waybill.createBatch({ name: 'nightly-0' });
  ids['gone'] = gone.id;
  await gone.abort({ reason: 'test' });
  await gone.delete();
});
afterAll(() => service.stop());

/** The names of the batches that match, in order of these. */
async function found(
  q: string,
  more: { readonly state?: 'planning'; readonly limit?: number } = {},
): Promise<string[]> {
  const names: string[] = [];
  for await (const { id } of service.waybill.batches({ q, ...more }))
    names.push(Object.keys(ids).find((name) => ids[name] === id) ?? id);
  return names.sort();
}

describe('a search of batches', () => {
  it.each<[string, string[]]>([
    ['name:nightly-1', ['night']],
    ['name:night*', ['night', 'second']],
    ['name:import,nightly-2', ['import', 'second']],
    ['label.run:7', ['night']],
    ['label.run:7,8', ['night', 'second']],
    ['label.site:bonn label.run:8', []],
    ['actor:ann', ['import', 'second']],
    ['actor:ann,anonymous since:1h', ['import', 'night', 'second']],
    ['actor:nobody', []],
    ['since:1h', ['import', 'night', 'second']],
    ['until:1h', []],
    ['since:2100-01-01', []],
    ['created>2000-01-01 created<now', ['import', 'night', 'second']],
    ['state:planning name:nightly-1', ['night']],
    ['state:deleted', ['gone']],
    ['state:deleted,planning nightly', ['gone', 'night', 'second']],
    ['ended>1h state:deleted', ['gone']],
    ['letters', ['import']],
    ['100%', ['import']],
    ['NIGHT', ['night', 'second']],
  ])('%s finds %j', async (q, names) => {
    expect(await found(q)).toEqual(names);
  });

  it('finds batches by whole ids and by their last 8 characters, beside the state', async () => {
    expect(await found(`id:${ids['night']}`)).toEqual(['night']);
    expect(await found(`id:${ids['night']!.slice(-8)},${ids['import']}`)).toEqual(['import', 'night']);
    expect(await found('name:night*', { state: 'planning' })).toEqual(['night', 'second']);
    expect(await found('state:deleted', { state: 'planning' })).toEqual([]);
  });

  it('goes on from page to page', async () => {
    expect(await found('name:night*', { limit: 1 })).toEqual(['night', 'second']);
  });

  it.each([
    ['queue:mail', 'Expected one of the fields id, name, state, actor, label.NAME, since, until, or quotes'],
    [
      'state:held',
      "Expected one of the states planning, running, completed, failed, reporting, aborted, deleted at character 7, but got 'held'",
    ],
    ['enqueued>1h', "Expected 'created' or 'ended' before '>' at character 1"],
    ['name:*', "Expected text before '*' at character 6"],
  ])('refuses %s at its place', async (q, detail) => {
    const { code, problem } = await refusalOf(service.waybill.batches({ q }).next());
    expect([code, problem]).toEqual([
      'INVALID_INPUT',
      expect.objectContaining({ errors: [{ pointer: '#/query/q', detail: expect.stringContaining(detail) }] }),
    ]);
  });

  it('looks at a bounded number of batches for each page, and finds what comes late', async () => {
    await service.pool.query(
      `insert into batches (id, revision, position, name, state, created_at, plan_ended, re_runs, reports, total, open, succeeded, failed, aborted, deleted, task_ended, awaited)
       select lpad(to_hex(n), 32, '0')::uuid, 0, 0, case n when 1 then 'last' else 'old' end, 'aborted', '2020-01-01'::timestamptz + n * interval '1 s', false, 'auto', 0, 0, 0, 0, 0, 0, 0, false, false
       from generate_series(1, 20100) n`,
    );
    const url = new URL('/v1/batches?q=name:last', service.url);
    const first = (await (await fetch(url)).json()) as { items: unknown[]; nextCursor: string };
    expect(first.items).toEqual([]);
    const second = (await (await fetch(`${url.href}&cursor=${first.nextCursor}`)).json()) as {
      items: { name: string }[];
      nextCursor: null;
    };
    expect([second.items.map(({ name }) => name), second.nextCursor]).toEqual([['last'], null]);
    await service.pool.query(`delete from batches where name in ('old', 'last')`);
  });
});
