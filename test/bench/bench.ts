import { expect } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = resolve(__dirname, '../..');
const run = promisify(execFile);
export const PATIENCE_MS = 600_000;
/** In bytes, with the lines about progress. */
const MOST_OUTPUT = 16_777_216;

interface Goal {
  readonly title: string;
  readonly reached: number | null;
  readonly met: boolean | null;
}

/** The output of a bench on the Postgres of this test run, with sizes that only prove that it works. */
export const bench = (name: string, ...options: string[]) => outputOf(name, options, process.env);

/** The same on a Postgres of its own, on the disk: that of the run may be in memory. */
export function benchOnDisk(name: string, ...options: string[]) {
  const { DATABASE_URL: _ofTheRun, ...env } = process.env;
  return outputOf(name, options, env);
}

async function outputOf(name: string, options: readonly string[], env: NodeJS.ProcessEnv) {
  const asked = [join(ROOT, `bench/${name}.mjs`), '--json', ...options];
  const { stdout } = await run(process.execPath, asked, { cwd: ROOT, env, maxBuffer: MOST_OUTPUT });
  return JSON.parse(stdout);
}

export const rate = {
  asymmetricMatch: (value: unknown) => typeof value === 'number' && value > 0 && Number.isFinite(value),
};

/**
 * Expects a verdict on each goal that was measured, and on no other. What is infinitely far from its goal is missed, and
 * null in JSON.
 */
export function expectVerdicts(goals: readonly Goal[], count: number): void {
  expect(goals).toHaveLength(count);
  for (const { reached, met } of goals) expect(reached === null ? [null, false] : [true, false]).toContain(met);
}
