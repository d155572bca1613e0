import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type ApiKey, ApiKeys } from '../src/api/access/api-keys.js';
import { KeyFile } from '../src/bootstrap/key-file.js';
import { until } from './support/until.js';

const keyOf = (text: string): ApiKey => ({
  name: text,
  sha256: createHash('sha256').update(text).digest('hex'),
  may: ['read'],
});

let file: string;
let keys: ApiKeys;
let keyFile: KeyFile;

beforeEach(() => {
  Logger.overrideLogger(false);
  file = join(mkdtempSync(join(tmpdir(), 'waybill-keys-')), 'keys.json');
  writeFileSync(file, JSON.stringify([keyOf('ann')]));
  keys = new ApiKeys([keyOf('ann')]);
  keyFile = new KeyFile(file, keys, 10);
  keyFile.start();
});
afterEach(() => keyFile.stop());

const accepts = (text: string): boolean => keys.keyOf(text, Date.now()) !== null;
const accepted = (text: string) => until(`'${text}' to be accepted`, async () => (accepts(text) ? true : null));
const faulty = () => until('a fault', async () => keys.fault);

it('given a changed file, accepts its keys and no others', async () => {
  writeFileSync(file, JSON.stringify([keyOf('bob')]));
  await accepted('bob');
  expect([accepts('ann'), keys.fault]).toEqual([false, null]);
});

it('given a file that replaces the other, as mounted secrets do, accepts its keys', async () => {
  writeFileSync(`${file}.new`, JSON.stringify([keyOf('bob')]));
  renameSync(`${file}.new`, file);
  await accepted('bob');
});

it.each([
  ['is no JSON', '[{', 'it is no JSON'],
  ['is empty, because the service would then require no keys', '[]', 'it is empty'],
  ['has a key that lacks its hash', '[{"name":"bob","may":["read"]}]', "should have as 'sha256'"],
])('given a file that %s, keeps the keys, and takes them from the file once it is right', async (_, text, fault) => {
  writeFileSync(file, text);
  expect(await faulty()).toContain(fault);
  expect(accepts('ann')).toBe(true);
  writeFileSync(file, JSON.stringify([keyOf('bob')]));
  await accepted('bob');
  expect(keys.fault).toBeNull();
});

it('given a file that is gone, keeps the keys', async () => {
  rmSync(file);
  expect(await faulty()).toContain('it cannot be read: ENOENT');
  expect(accepts('ann')).toBe(true);
});
