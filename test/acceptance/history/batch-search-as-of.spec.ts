import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Memory, type Remembered } from '../../support/history/remembered.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

let service: RunningService;
let memory: Memory;
/** The batches by the names that the tests give them. */
const ids: Record<string, string> = {};

const ASKED: readonly [string, readonly string[]][] = [
  ['name:night*', ['night', 'second']],
  ['name:import,nightly-2', ['import', 'second']],
  ['label.run:7', ['night']],
  ['label.run:7,8 letters', []],
  ['actor:ann', ['import', 'second']],
  ['actor:ann since:1h', ['import', 'second']],
  ['actor:otto', []],
  ['actor:ann since:2100-01-01', []],
  ['since:1h', ['import', 'night', 'second']],
  ['until:1h', []],
  ['state:planning', ['import', 'second']],
  ['state:running', ['night']],
  ['state:aborted', []],
  ['state:deleted', ['gone']],
  ['state:deleted,running', ['gone', 'night']],
  ['ended>1h state:deleted', ['gone']],
  ['ended>1h', []],
  ['ended<1h state:deleted', []],
  ['letters', ['import']],
  ['NIGHT state:running', ['night']],
];

const pathOf = (q: string): string => `/v1/batches?q=${encodeURIComponent(q)}`;

let seen: Remembered;
beforeAll(async () => {
  service = await startService();
  memory = new Memory(service.url);
  const { waybill } = service;
  const queue = waybill.queue('mail');
  await queue.define();
  const [ann, otto] = [service.as('ann'), service.as('otto')];
  const gone = await waybill.createBatch({ name: 'nightly-0' });
  await gone.abort({ reason: 'test' });
  await gone.delete();
  const night = await waybill.createBatch({ name: 'nightly-1', labels: { run: '7' } });
  await queue.enqueue(1, { batch: night.id });
  await night.open(1);
  const second = await ann.createBatch({ name: 'nightly-2', labels: { run: '8' } });
  const imported = await ann.createBatch({ name: 'import', description: 'Letters of 100%' });
  Object.assign(ids, { gone: gone.id, night: night.id, second: second.id, import: imported.id });
  seen = await memory.remember(ASKED.map(([q]) => pathOf(q)));
  await night.abort({ reason: 'too late' });
  await second.delete();
  await imported.abort({ reason: 'too late' });
  await otto.createBatch({ name: 'nightly-3', labels: { run: '7' }, description: 'Letters' });
});
afterAll(() => service.stop());

const namesIn = (items: readonly { readonly id: string }[]): readonly string[] =>
  items.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id).sort();

describe('a search of batches as of a moment', () => {
  it('finds what it found then, as it was', async () => {
    const found = seen.answers.map((answer, at) => [ASKED[at]![0], namesIn(answer['items'] as { id: string }[])]);
    expect(found).toEqual(ASKED);
    // Answers about the past offer no commands.
    await memory.expectAgain([seen], ['commands']);
  });

  it('counts how long ago from the moment', async () => {
    const { at } = (await service.waybill.asOf(seen.position).batchPage({ q: 'name:import' })).asOf!;
    await until('a second to pass', () => Promise.resolve(Date.now() > Date.parse(at) + 1_100 ? true : null));
    const q = 'since:1s name:import';
    expect(namesIn((await service.waybill.asOf(seen.position).batchPage({ q })).items)).toEqual(['import']);
    expect(await nowOf(q)).toEqual([]);
  });

  it('goes on from page to page, and looks at a bounded number of batches for each', async () => {
    await service.pool.query(
      `insert into batches (id, revision, position, name, state, created_at, plan_ended, re_runs, reports, total, open, succeeded, failed, aborted, deleted, task_ended, awaited)
       select lpad(to_hex(n), 32, '0')::uuid, 0, 0, 'old', 'aborted', '2040-01-01'::timestamptz + n * interval '1 s', false, 'auto', 0, 0, 0, 0, 0, 0, 0, false, false
       from generate_series(1, 100100) n`,
    );
    const past = service.waybill.asOf(seen.position);
    const first = await past.batchPage({ q: 'name:night*', limit: 1 });
    expect([first.items, first.nextCursor]).toEqual([[], expect.any(String)]);
    const found = [];
    for await (const batch of past.batches({ q: 'name:night*', limit: 1 })) found.push(batch);
    expect(namesIn(found)).toEqual(['night', 'second']);
    await service.pool.query(`delete from batches where name = 'old'`);
  });
});

async function nowOf(q: string): Promise<readonly string[]> {
  const found = [];
  for await (const batch of service.waybill.batches({ q })) found.push(batch);
  return namesIn(found);
}
