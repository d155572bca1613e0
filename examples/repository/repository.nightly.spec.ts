import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { moveTimes } from '../../test/support/pass-time.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import type { Job } from './job.js';

const ROOT = join(__dirname, '../..');
const NAMES = ['annals.txt', 'bay.tif', 'coast.tif', 'diary.txt', 'essay.txt', 'flora.txt'];
/** Each ends the main process, after it did this, and before anybody was told. */
const MAIN_POINTS = ['received', 'asked', 'whole', 'minted', 'stored', 'mailed'];
const POINTS = [...MAIN_POINTS, 'recorded'];

let home: string;
let database: TestDatabase;
let pool: PostgresPool;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'waybill-repository-'));
  await Promise.all(['files', 'kills'].map((name) => mkdir(join(home, name))));
  for (const name of NAMES) await writeFile(join(home, 'files', name), `the content of ${name}`);
  database = await createTestDatabase();
  pool = new PostgresPool({ url: database.url, size: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** `npm run example:repository`, or what it runs once everything is compiled. It is killed at each point once. */
async function run(program: 'scripts/example.mjs' | 'test/support/run-example.mjs'): Promise<Ended> {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    EVENT_STORE_PREFIX: `${new URL(database.url).pathname.slice(1)}.`,
    WAYBILL_DATA_DIR: join(home, 'data'),
    PORT: '0',
    NO_COLOR: '1',
    KILL_FOLDER: join(home, 'kills'),
    KILL_AT: JSON.stringify(POINTS),
  };
  const hooks = ['--import', join(ROOT, 'test/support/kill-points.mjs')];
  const args = [...hooks, program, 'repository', join(home, 'files'), '--work', join(home, 'work')];
  const child = spawn(process.execPath, args, { cwd: ROOT, env });
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, output: output + errors };
}

/** Starts it again whenever it was killed, after the claims of the dead process are over. */
async function runToTheEnd(): Promise<readonly Ended[]> {
  const runs: Ended[] = [];
  do {
    runs.push(await run(runs.length === 0 ? 'scripts/example.mjs' : 'test/support/run-example.mjs'));
    await moveTimes(pool, '1 minute');
  } while (runs.at(-1)!.signal === 'SIGKILL' && runs.length <= POINTS.length);
  return runs;
}

const acts = (): readonly string[] => readFileSync(join(home, 'kills/log'), 'utf8').trimEnd().split('\n');
const actsOf = (act: string): readonly string[] =>
  acts().flatMap((line) => (line.startsWith(`${act} `) ? line.slice(act.length + 1) : []));
const inventory = (): readonly Job[] =>
  readdirSync(join(home, 'work/inventory')).map((name) =>
    JSON.parse(readFileSync(join(home, 'work/inventory', name), 'utf8')),
  );

describe('example:repository', () => {
  let runs: readonly Ended[];
  beforeAll(async () => {
    runs = await runToTheEnd();
  }, 300_000);

  it('ends although each of its processes was killed, and says what became of each submission', () => {
    expect(runs.map(({ signal }) => signal)).toEqual([...MAIN_POINTS.map(() => 'SIGKILL'), null]);
    for (const point of POINTS) expect([point, existsSync(join(home, 'kills', point))]).toEqual([point, true]);
    const { code, output } = runs.at(-1)!;
    expect(code).toBe(0);
    expect(output.match(/✓ .+ ark:\/99999\/fk4/g)).toHaveLength(5);
    expect(output).toContain("Expected to fetch 'gone.txt'");
    expect(output).toContain("Expected 'essay.txt' to have the sha256");
  });

  it('mints one identifier for each object', () => {
    const jobs = inventory();
    expect(jobs).toHaveLength(5);
    const minted = readFileSync(join(home, 'work/identifiers.jsonl'), 'utf8').trim().split('\n');
    const names = minted.map((line) => (JSON.parse(line) as [string, string])[0]);
    expect(names.toSorted()).toEqual(jobs.map(({ data }) => data.ark).sort());
    expect(new Set(names).size).toBe(5);
  });

  it('fetches no file that is whole', () => {
    const log = acts();
    for (const { batch, folder, files } of inventory()) {
      for (const { name, url } of files) {
        const whole = log.filter((line) => line.endsWith(`${batch}/${folder}/files/${name}`));
        expect([name, whole.length]).toEqual([name, 1]);
        expect(log.lastIndexOf(`fetched ${new URL(url).pathname}`)).toBeLessThan(log.indexOf(whole[0]!));
      }
    }
    expect(actsOf('asked').length).toBeGreaterThan(actsOf('fetched').length);
  });

  it('sends one mail for each submission: the one that was not confirmed comes again as the same message', () => {
    const mails = readdirSync(join(home, 'work/mails'));
    expect(mails).toHaveLength(5);
    const ids = mails.map((name) => /^message-id: (.+)$/im.exec(readFileSync(join(home, 'work/mails', name), 'utf8')));
    expect(new Set(ids.map((id) => id![1])).size).toBe(5);
    const [unconfirmed] = actsOf('mailed');
    const others = actsOf('mailed').filter((path) => path !== unconfirmed);
    expect([others.length, new Set(others).size]).toEqual([4, 4]);
  });

  it('does nothing when it is run once more', async () => {
    const before = acts().filter((line) => !line.startsWith('received '));
    const again = await run('test/support/run-example.mjs');
    expect([again.code, again.output.match(/✓ .+ ark:/g)?.length]).toEqual([0, 5]);
    expect(acts().filter((line) => !line.startsWith('received '))).toEqual(before);
  });
});
