import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cases } from '../../clients/conformance/run.mjs';
import { built } from '../../packages/client/test/support/built.js';
import { PYTHON, PYTHON_CLIENT } from './python.js';

const SUITE = join(import.meta.dirname, '../../clients/conformance');
const NAMES = cases.map(({ name }: { readonly name: string }) => name);

const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  TypeScript: [process.execPath, join(SUITE, 'typescript.mjs'), pathToFileURL(built('src/index.ts')).href],
  Python: [PYTHON, join(PYTHON_CLIENT, 'tests/conformance.py')],
};

/** It has an answer to everything. */
const CARELESS = `
  const ask = () => fetch(process.env.CONFORMANCE_URL + '/next');
  for (let asked = await ask(); asked.status === 200; asked = await ask()) {
    const { id } = await asked.json();
    await fetch(process.env.CONFORMANCE_URL + '/answers/' + id, { method: 'POST', body: '{"answer":null}' });
  }`;

async function said(program: readonly string[], ...options: string[]): Promise<string[]> {
  const env = { ...process.env, PYTHONPATH: join(PYTHON_CLIENT, 'src') };
  const args = [join(SUITE, 'driver.mjs'), ...options, '--', ...program];
  const ran = promisify(execFile)(process.execPath, args, { env });
  const { stdout } = await ran.catch((error: { stdout: string }) => error);
  return stdout.trim().split('\n');
}

it('the suite has cases of different names', () => {
  expect(NAMES.length).toBeGreaterThan(30);
  expect(new Set(NAMES).size).toBe(NAMES.length);
});

it.each(Object.keys(PROGRAMS))('the client for %s behaves as every case of the suite says', async (language) => {
  const passed = [...NAMES.map((name) => `ok     ${name}`), `${NAMES.length} of ${NAMES.length} cases pass`];
  expect(await said(PROGRAMS[language]!)).toEqual(passed);
});

it('a program that behaves otherwise is told what it did', async () => {
  expect(
    await said([process.execPath, '--input-type=module', '-e', CARELESS], '--case', 'gives two tasks two ids'),
  ).toEqual([
    'NOT OK gives two tasks two ids',
    '       Expected POST /v1/queues/mail/tasks to have 2 items, but got []',
    '0 of 1 cases pass',
  ]);
});
