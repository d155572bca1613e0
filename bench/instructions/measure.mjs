import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COUNT, ownInstructionsIn } from './cachegrind.mjs';
import { CountedPostgres } from './counted-postgres.mjs';

/**
 * The compiler decides in the same thread, and the garbage collector does not run. With their usual threads, the counts of
 * two runs of one revision differ by 15 % instead of 3 %.
 */
const ALIKE = ['--single-threaded', '--predictable', '--hash-seed=1', '--random-seed=1'].concat(
  ['min', 'max'].map((bound) => `--${bound}-semi-space-size=512`),
);

const LIVES = join(import.meta.dirname, 'lives.mjs');
const run = promisify(execFile);

/** The instructions (or calls) of a life: the difference between many and few, so that the start falls out. */
export async function measureLife(program, checkout, { few, many }) {
  return ((await COUNTED[program](checkout, many)) - (await COUNTED[program](checkout, few))) / (many - few);
}

const COUNTED = {
  async postgres(checkout, tasks) {
    const postgres = await CountedPostgres.start({ isCounted: true });
    const { stdout } = await run(process.execPath, [LIVES, checkout, postgres.url, String(tasks)]);
    return postgres.stop(JSON.parse(stdout));
  },
  async node(checkout, tasks) {
    const postgres = await CountedPostgres.start({ isCounted: false });
    const folder = mkdtempSync(join(tmpdir(), 'waybill-instructions-'));
    const [first, ...rest] = [
      ...COUNT(join(folder, 'node')),
      process.execPath,
      ...ALIKE,
      LIVES,
      checkout,
      postgres.url,
      String(tasks),
    ];
    try {
      await run(first, rest);
      return ownInstructionsIn(join(folder, 'node'));
    } finally {
      await postgres.stop([]);
      rmSync(folder, { recursive: true, force: true });
    }
  },
  /** The functions that Node calls, of our own, of libraries and of Node. In contrast to its instructions, they are exact. */
  async calls(checkout, tasks) {
    const postgres = await CountedPostgres.start({ isCounted: false });
    const folder = mkdtempSync(join(tmpdir(), 'waybill-calls-'));
    try {
      const env = { ...process.env, NODE_V8_COVERAGE: folder };
      await run(process.execPath, [LIVES, checkout, postgres.url, String(tasks)], { env });
      return callsIn(folder);
    } finally {
      await postgres.stop([]);
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function callsIn(folder) {
  const scripts = readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).result);
  const counts = scripts.flatMap(({ functions }) => functions.map(({ ranges: [whole] }) => whole.count));
  return counts.reduce((sum, count) => sum + count, 0);
}
