import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCurrent } from '../../scripts/python-types.mjs';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const root = join(import.meta.dirname, '../..');
const committed = (path: string): string => readFileSync(join(root, path), 'utf8');

let api: FakeApplication;
beforeAll(async () => (api = await fakeApplication()));
afterAll(() => api.app.close());

it('the committed document is the one that the service serves: `npm run openapi` writes it', async () => {
  const { body } = await api.app.inject('/openapi.json');
  expect(JSON.parse(committed('openapi.json'))).toEqual(JSON.parse(body));
});

it('the types of the client for Python follow from the document', async () => {
  expect(await isCurrent(JSON.parse(committed('openapi.json')))).toBe(true);
});

it('the committed types follow from the document', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/contract-types.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
