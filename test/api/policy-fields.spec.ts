import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldInWords } from '../../packages/dashboard/src/queues/policy-words.js';
import { PolicyChanges, QueuePolicy } from '../../src/api/dto/policy.dto.js';
import { fieldsOf } from '../../src/api/input/fields.js';
import { faultsAgainst } from '../../src/api/input/validator.js';
import { DEFAULT_POLICY } from '../../src/domain/queue/queue.policy.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/policy.md'), 'utf8');
/** The default in the page of each field. */
const TOLD = new Map(
  [...PAGE.matchAll(/^\| `(\w+)` +\| (.+?) +\|/gm)].map(([, name, value]) => [name!, value!.replaceAll('`', '')]),
);

const FIELDS = Object.entries(DEFAULT_POLICY).filter(([name]) => name !== 'preset' && name !== 'vocabulary');
const told = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

describe('each field of a policy', () => {
  it.each(FIELDS)('is explained in the reference, with its default: %s', (name, standard) => {
    expect([...TOLD.keys()]).toContain(name);
    if (typeof standard !== 'object' || standard === null) expect(TOLD.get(name)).toBe(told(standard));
  });

  it.each(FIELDS)('may be changed alone: %s', (name, standard) => {
    expect(faultsAgainst(PolicyChanges, { [name]: standard })).toEqual([]);
  });

  it.each(FIELDS)('is said by the dashboard in words, as by default: %s', (name, standard) => {
    expect(fieldInWords(name, standard)).not.toMatch(/[{}[\]"]|undefined|object/);
  });

  it('is in the class that declares the policy, and in the reference, and nothing else is', () => {
    const names = FIELDS.map(([name]) => name).sort();
    expect([...fieldsOf(QueuePolicy).keys()].filter((name) => name !== 'preset').sort()).toEqual(names);
    expect([...TOLD.keys()].sort()).toEqual(names);
  });
});

it('takes nothing for a field that has a value in each policy, although a step may leave it open', () => {
  expect(faultsAgainst(PolicyChanges, { maxLost: null })).toEqual([
    { pointer: '/maxLost', detail: 'Expected an integer from 0 to 1000000, but got null' },
  ]);
});
