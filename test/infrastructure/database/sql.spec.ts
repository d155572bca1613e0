import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD } from '../../../src/bootstrap/functions.js';
import { LOG_LOCK } from '../../../src/infrastructure/database/locks.js';
import { readSql, statement } from '../../../src/infrastructure/database/sql.js';

describe('a statement', () => {
  it('numbers its named parameters in the order of their first occurrence', () => {
    const { text, with: given } = statement<{ a: number; b: string }>('s', 'select :b, :a, :b');
    expect(text).toBe('select $1, $2, $1');
    expect(given({ a: 1, b: 'x' })).toEqual({ name: 's', text, values: ['x', 1] });
  });

  it('keeps casts, assignments, times and texts unchanged', () => {
    const sql = `v := a::text || 'k: v' || to_char(t, 'HH24:MI')`;
    expect(statement('s', sql).text).toBe(sql);
    expect(statement('s', 'select :a::int').text).toBe('select $1::int');
  });
});

describe('a file', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'waybill-sql-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const read = async (text: string) => {
    await writeFile(join(folder, 'a.sql'), text);
    return readSql(pathToFileURL(join(folder, 'module.js')).href, 'a', { LIMIT: 5 });
  };

  it('can refer to locks and to the constants of its caller', async () => {
    expect(await read('lock(:LOG_LOCK) limit :LIMIT')).toBe(`lock(${LOG_LOCK}) limit 5`);
  });

  it('is refused if it refers to an unknown constant', async () => {
    await expect(read('limit :LIMITS')).rejects.toThrow("Expected a.sql to name a known constant, but it is 'LIMITS'");
  });
});

const INSTALLED = [...BUILD.functions, ...BUILD.shared];
const root = join(import.meta.dirname, '../../../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.sql'));
const functionIn = (sql: string): string[] =>
  [...sql.matchAll(/^ *create (?:or replace )?function waybill[_.](\w+)/gm)].map(([, name]) => name!);
const functions = files.filter((path) => functionIn(readFileSync(join(root, path), 'utf8')).length > 0);

it.each(functions)('%s contains the function of its name, which is installed', (path) => {
  const name = basename(path, '.sql').replaceAll('-', '_');
  expect(functionIn(readFileSync(join(root, path), 'utf8'))).toEqual([name]);
  expect(INSTALLED.flatMap(functionIn)).toContain(name);
});

it('every installed function is in a file of its own', () => {
  expect(INSTALLED.filter((sql) => functionIn(sql).length > 0)).toHaveLength(functions.length);
});
