import { describe, expect, it } from '@jest/globals';
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
});
