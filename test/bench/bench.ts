import { expect } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = resolve(__dirname, '../..');
const run = promisify(execFile);
export const PATIENCE_MS = 600_000;

interface Goal {
  readonly title: string;
  readonly reached: number | null;
  readonly met: boolean | null;
}

/** The output of a bench on the Postgres of this test run, with sizes that only prove that it works. */
export async function bench(name: string, ...options: string[]) {
  const { stdout } = await run(process.execPath, [join(ROOT, `bench/${name}.mjs`), '--json', ...options], {
    cwd: ROOT,
  });
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
