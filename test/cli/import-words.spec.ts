import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTables } from '../../packages/cli/src/import/check-tables.js';
import { Fields } from '../../packages/cli/src/import/fields.js';
import { itemIn } from '../../packages/cli/src/import/item-rows.js';

const row = (values: Record<string, unknown>) => ({ line: 2, values });

describe('a value that cannot be imported', () => {
  it('is named as the file has it: a status', async () => {
    const item = itemIn(row({ id: '1', queue: 'q', status: 'On Hold' }), async () => 'q', new Map());
    await expect(item).rejects.toThrow(/--status On Hold=\.\.\., but it is 'On Hold'/);
  });

  it('is named as the file has it: true or false', () => {
    expect(() => new Fields(row({ is_active: 'Maybe' }), ['is_active']).flag('is_active')).toThrow("but it is 'Maybe'");
  });

  it.each(['constructor', '__proto__'])(
    'is named as the file has it: the status %s, which objects have as a member',
    async (status) => {
      const item = itemIn(row({ id: '1', queue: 'q', status }), async () => 'q', new Map());
      await expect(item).rejects.toThrow(`but it is '${status}'`);
    },
  );

  it('is named as the file has it: an id or a reference that another line has', async () => {
    const items = [
      'id,queue,reference',
      'A-17,q,',
      'a-17,q,',
      '019A0000-0000-7000-8000-000000000000,q,R-1',
      '019A0000-0000-7000-8000-000000000000,q,',
      '4,q,R-1',
    ];
    expect(await problemsIn(items)).toEqual([
      [3, "Expected another id than 'a-17', but line 2 has it"],
      [5, "Expected another id than '019A0000-0000-7000-8000-000000000000', but line 4 has it"],
      [6, "Expected another reference than 'R-1', but line 4 has it"],
    ]);
  });

  it('is named as the file has it: two limits of one wait', async () => {
    const items = ['id,queue,expires_at,ttl_ms', '1,q,2099-01-01 00:00:00Z,1e3'];
    expect(await problemsIn(items)).toEqual([
      [2, "Expected 'expires_at' or 'ttl_ms', but there are both: '2099-01-01 00:00:00Z' and '1e3'"],
    ]);
  });
});

describe('a column', () => {
  it.each([
    [['ID,Queue,Colour', '1,q,red'], "but there is 'Colour'"],
    [['Id,Queue,Priority', '1,q,High'], "in 'Priority', but it is 'High'"],
    [['ID,Queue,Reference', ',q,R'], "Expected a value in 'ID', but there is none"],
    [['Id,queue,Expires_At,TTL_ms', '1,q,2099-01-01 00:00:00Z,5'], "Expected 'Expires_At' or 'TTL_ms', but there are"],
  ])('is named as the file has it: %j', async (items, message) => {
    expect(await problemsIn(items)).toEqual([[2, expect.stringContaining(message)]]);
  });

  it('is named as the file has it: in lines of JSON', async () => {
    expect(await problemsIn(['{"Id": 1, "queue": "q", "Priority": 1.5}'], 'items.jsonl')).toEqual([
      [1, expect.stringContaining("in 'Priority', but it is '1.5'")],
    ]);
  });
});

/** What is wrong with a table of items, by line. Its queue wants references that are unique. */
async function problemsIn(lines: readonly string[], name = 'items.csv') {
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    const [items, queues] = [join(folder, name), join(folder, 'queues.csv')];
    await writeFile(items, lines.join('\n'));
    await writeFile(queues, 'name,enforce_unique_reference\nq,true\n');
    const { problems } = await checkTables(null as never, { items, queues, custom: new Map() });
    return problems.map(({ line, message }) => [line, message]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
