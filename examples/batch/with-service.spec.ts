import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { Screen } from '../demo/screen.js';
import { withService } from './with-service.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'example-'))]);
});
afterAll(() => Promise.all([database.drop(), rm(folder, { recursive: true })]));

/** The line about the dashboard that people see, and the address of the service. */
async function dashboardOf(env: NodeJS.ProcessEnv): Promise<{ readonly line: string; readonly url: string }> {
  const stdout = new PassThrough();
  const screen = new Screen(stdout as unknown as NodeJS.WriteStream, { NO_COLOR: '1' });
  const url = await withService(env, screen, (at) => Promise.resolve(at));
  return { url, line: /Dashboard +(.*)\n/.exec(String(stdout.read()))![1]! };
}

it('says of a link that ends with the example that it does', async () => {
  const env = { DATABASE_URL: database.url, WAYBILL_DATA_DIR: folder, PORT: '0' };
  const { line, url } = await dashboardOf(env);
  expect(line).toBe(`${url}/dashboard/#/batches (until this ends)`);
});

it.each(['http://127.0.0.1:3000', 'http://127.0.0.1:3000/'])(
  'says nothing of the end of a service that goes on: %s',
  async (url) => {
    const { line } = await dashboardOf({ WAYBILL_URL: url });
    expect(line).toBe('http://127.0.0.1:3000/dashboard/#/batches');
  },
);
