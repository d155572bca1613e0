import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { Catalogue } from './catalogue.js';

let database: TestDatabase;
let catalogue: Catalogue;

beforeAll(async () => {
  database = await createTestDatabase();
  catalogue = new Catalogue(database.url);
  await Promise.all([catalogue.prepare(), catalogue.prepare()]);
});
afterAll(async () => {
  await catalogue.close();
  await database.drop();
});

const entry = (path: string, content: string, fencingToken: string, size = content.length) => ({
  path,
  size,
  modified: '1700000000000000001',
  sha256: content,
  mediaType: 'text/plain',
  lines: 1,
  width: null,
  height: null,
  note: null,
  fencingToken,
});

describe('Catalogue', () => {
  it('finds recorded files, and nothing for other paths', async () => {
    await catalogue.record(entry('/a/1', 'one', '1'));
    expect(await Promise.all([catalogue.find('/a/1'), catalogue.find('/a/2')])).toEqual([
      { path: '/a/1', size: 3, modified: '1700000000000000001', sha256: 'one' },
      null,
    ]);
  });

  it('keeps every recorded fact of a file, and of its next version', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const FACTS =
      'size::int, modified, sha256, media_type, lines, width, height, note, fencing_token::int as "fencingToken"';
    const row = async () => (await pool.query(`select ${FACTS} from archive_catalogue where path = '/d/1'`)).rows[0];
    const gif = { sha256: 'gif', size: 6, lines: 2, width: 3, height: 4, note: 'small' };
    await catalogue.record({ ...entry('/d/1', 'gif', '5'), ...gif, mediaType: 'image/gif' });
    expect(await row()).toEqual({ ...gif, media_type: 'image/gif', modified: '1700000000000000001', fencingToken: 5 });
    const png = { sha256: 'png', size: 11, modified: '12', lines: 7, width: 8, height: 9, note: 'large' };
    await catalogue.record({ ...entry('/d/1', 'png', '10'), ...png, mediaType: 'image/png' });
    expect(await row()).toEqual({ ...png, media_type: 'image/png', fencingToken: 10 });
    await pool.end();
  });

  it('keeps the entry of the latest attempt, in whichever order attempts arrive', async () => {
    await Promise.all([catalogue.record(entry('/b/1', 'later', '9')), catalogue.record(entry('/b/1', 'earlier', '8'))]);
    expect(await catalogue.find('/b/1')).toMatchObject({ sha256: 'later' });
    await catalogue.record(entry('/b/1', 'late report', '7'));
    expect(await catalogue.find('/b/1')).toMatchObject({ sha256: 'later' });
    await catalogue.record(entry('/b/1', 'next', '10'));
    expect(await catalogue.find('/b/1')).toMatchObject({ sha256: 'next' });
  });

  it('reports the new, changed and duplicate files of one folder', async () => {
    await Promise.all(
      ['/c/1', '/c/2', '/c/sub/3', '/cc/4'].map((path) => catalogue.record(entry(path, 'same', '1', 100))),
    );
    await Promise.all(['/c/5', '/c/6'].map((path) => catalogue.record(entry(path, '', '1'))));
    const since = await catalogue.now();
    expect(await catalogue.overview('/c', since)).toEqual({
      files: 5,
      bytes: 300,
      added: 0,
      changed: 0,
      duplicates: { groups: 1, files: 2, bytes: 200 },
    });
    await Promise.all([
      catalogue.record(entry('/c/1', 'other', '2')),
      catalogue.record({ ...entry('/c/2', 'same', '2', 100), modified: '1800000000000000001' }),
      catalogue.record(entry('/c/7', 'new', '2')),
    ]);
    expect(await catalogue.overview('/c/', since)).toMatchObject({
      added: 1,
      changed: 1,
      duplicates: { groups: 1, files: 1, bytes: 100 },
    });
  });
});
