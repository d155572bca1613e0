import { describe, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import { load } from 'js-yaml';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mapping } from '../../packages/cli/src/import/mapping.js';
import { faultInRules } from '../../src/bootstrap/failure-rules.js';
import { readConfig } from '../../src/bootstrap/config.js';
import { wrongIn } from '../support/wrong-requests.js';
import { blocksIn, ROOT } from './pages.js';

const JSONS = new Map(
  blocksIn('json').map(({ place, text }) => [place.replace(/:\d+$/, ''), JSON.parse(text) as never]),
);
const jsonOf = (page: string): any => JSONS.get(`docs/how-to/${page}.md`);

/** Nobody prints hashes of keys: `…` stands for one. */
const hashed = (keys: readonly object[]) => keys.map((key, at) => ({ ...key, sha256: String(at).repeat(64) }));

describe('the data of the documents', () => {
  it('have rules for failures that the service takes', () => {
    expect(faultInRules(jsonOf('see-why-tasks-fail'))).toBeNull();
  });

  it('have API keys that the service takes', () => {
    const keys = hashed(jsonOf('use-api-keys'));
    expect(readConfig({ WAYBILL_API_KEYS: JSON.stringify(keys) }).apiKeys).toHaveLength(keys.length);
  });

  it('have a transaction that the API takes', () => {
    expect(wrongIn({ method: 'POST', path: '/v1/transactions', body: jsonOf('use-transactions') })).toBeNull();
  });

  it('have a mapping that the import takes', async () => {
    const file = join(tmpdir(), `mapping-${randomBytes(6).toString('hex')}.json`);
    await writeFile(file, JSON.stringify(jsonOf('import-queues')));
    await expect(Mapping.read(file)).resolves.toBeInstanceOf(Mapping);
    await rm(file);
  });

  it('are JSON and YAML that can be read', () => {
    expect(JSONS.size).toBeGreaterThan(6);
    for (const { text } of blocksIn('yaml')) expect(load(text)).toBeInstanceOf(Object);
  });

  it('are JavaScript and JSX that can be parsed', () => {
    const parse = (text: string, tsx: boolean) =>
      transformSync(text, { swcrc: false, jsc: { parser: { syntax: 'typescript', tsx } } });
    for (const { text } of blocksIn('js')) expect(() => parse(text, false)).not.toThrow();
    for (const { text } of blocksIn('tsx')) expect(() => parse(text, true)).not.toThrow();
  });
});

/** Without what the formatter adds in a file that is wider or narrower than a page. */
const bare = (line: string): string => line.trim();

describe('the TypeScript that tutorials quote', () => {
  const quotes = blocksIn('ts')
    .filter(({ place }) => place.startsWith('docs/tutorials/'))
    .map(({ place, text }) => [place, text] as const);

  it.each(quotes)('%s is in the file that it names', (_place, text) => {
    const [, file] = /^\/\/ (examples\/\S+)\n/.exec(text)!;
    const lines = new Set(readFileSync(join(ROOT, file!), 'utf8').split('\n').map(bare));
    const quoted = text.split('\n').slice(1).map(bare);
    expect(quoted.filter((line) => line !== '' && line !== '…' && !lines.has(line))).toEqual([]);
  });
});
