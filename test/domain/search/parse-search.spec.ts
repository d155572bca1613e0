import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withFixedTimes } from '../../../src/domain/search/rewritten.js';
import { parseSearch } from '../../../src/domain/search/parse-search.js';
import { SearchError } from '../../../src/domain/search/search-error.js';
import { NAMED_FIELDS, PREFIXED, type Search, TEXT_FIELDS } from '../../../src/domain/search/term.js';
import { TASK_STATUSES } from '../../../src/domain/task/task.events.js';

const ID = '019a0000-0000-7000-8000-00000000abcd';

/** Without their places. */
const meant = (search: Search) => search.map(({ at: _at, end: _end, ...term }) => term);
const read = (text: string) => meant(parseSearch(text));
const exact = (...texts: string[]) => texts.map((text) => ({ text, isPrefix: false }));

function errorOf(text: string): SearchError {
  try {
    parseSearch(text);
  } catch (error) {
    if (error instanceof SearchError) return error;
    throw error;
  }
  throw new Error(`Expected '${text}' to be refused, but it was read`);
}

describe('a search', () => {
  it.each<[string, object[]]>([
    ['', []],
    ['  \t', []],
    ['state:failed,held', [{ field: 'state', values: exact('failed', 'held') }]],
    ['id:0000abcd', [{ field: 'id', values: exact('0000abcd') }]],
    [`id:${ID}`, [{ field: 'id', values: exact(ID) }]],
    ['reference:inv-*', [{ field: 'reference', values: [{ text: 'inv-', isPrefix: true }] }]],
    ['reference:"inv-*"', [{ field: 'reference', values: exact('inv-*') }]],
    ['error:"timed out"', [{ field: 'error', values: exact('timed out') }]],
    ['"say \\"hi\\" \\\\o"', [{ field: 'word', values: exact('say "hi" \\o') }]],
    ['label.a.b:x', [{ field: 'label', name: 'a.b', values: exact('x') }]],
    ['payload.order.id:1,2', [{ field: 'payload', name: 'order.id', values: exact('1', '2') }]],
    ['since:2h', [{ field: 'enqueued', bound: '>', than: { ago: 7_200_000 } }]],
    ['until:2026-11-23', [{ field: 'enqueued', bound: '<', than: { at: new Date('2026-11-23T00:00:00Z') } }]],
    ['ended>now', [{ field: 'ended', bound: '>', than: { ago: 0 } }]],
    [
      'timeout  queue:mail',
      [
        { field: 'word', values: exact('timeout') },
        { field: 'queue', values: exact('mail') },
      ],
    ],
    ['key:http://x/y?z', [{ field: 'key', values: exact('http://x/y?z') }]],
  ])('reads %j', (text, terms) => {
    expect(read(text)).toEqual(terms);
  });

  it.each([
    [
      'stat:failed',
      0,
      "Expected one of the fields id, queue, state, kind, key, reference, batch, worker, step, actor, build, error, group, label.NAME, payload.NAME, since, until, or quotes around a word with a colon, at character 1, but got 'stat'",
    ],
    ['state:', 6, "Expected a value after 'state:' at character 7, but the text ends"],
    ['a state:failed,', 15, 'Expected a value after the comma at character 16, but the text ends'],
    ['state:faild', 6, "at character 7, but got 'faild'"],
    ['error:"timed', 12, 'Expected a quote that ends the value at character 13, but the text ends'],
    ['a"b"', 1, 'Expected a space or a comma after a value at character 2, but got \'"b"\''],
    ['id:ABCD0000', 3, "Expected an id in lower case, or its last 8 characters, at character 4, but got 'ABCD0000'"],
    ['batch:mail', 6, "Expected the id of a batch in lower case at character 7, but got 'mail'"],
    ['label:x', 0, "but got 'label'"],
    ['label.:x', 0, "but got 'label.'"],
    ['payload:x', 0, "but got 'payload'"],
    [`payload.a:${'x'.repeat(201)}`, 10, 'Expected at most 200 characters at character 11'],
    [
      'since:yesterday',
      6,
      "Expected how long ago, such as '2h' (s, m, h or d), a day, or an instant with its zone at character 7, but got 'yesterday'",
    ],
    ['since:2026-02-30', 6, "but got '2026-02-30'"],
    ['since:1h,2h', 9, "Expected one time at character 10, but got '2h'"],
    ['began>2h', 0, "Expected 'enqueued' or 'ended' before '>' at character 1, but got 'began'"],
    ['key:*', 4, "Expected text before '*' at character 5, but got '*'"],
    ['key:""', 4, 'Expected a value that is not empty at character 5, but got \'""\''],
    ['key:\ud800', 4, 'Expected text that can be stored at character 5'],
    ['a '.repeat(51), 100, 'Expected at most 50 terms at character 101'],
    [`key:${'a,'.repeat(100)}a`, 204, 'Expected at most 100 values at character 205'],
  ])('refuses %j at its place', (text, at, message) => {
    const error = errorOf(text);
    expect(error.message).toContain(message);
    expect(error.at).toBe(at);
  });

  it('is refused at a place of its text, or read, whatever it is', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.constantFrom('state:', 'since:', 'ended>', 'label.a:', '"', ',', '*', ' ', 'failed', '2h', ID),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        try {
          const search = parseSearch(text);
          const between = search.map(({ at }, n) => text.slice(n === 0 ? 0 : search[n - 1]!.end, at));
          expect(between.join('').trim()).toBe('');
        } catch (error) {
          if (!(error instanceof SearchError)) throw error;
          expect(error.at).toBeGreaterThanOrEqual(0);
          expect(error.at).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });

  it('means what was written, however it is quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(aTerm, fc.constantFrom(' ', '  ', '\n'))), (written) => {
        const text = written.map(([term, space]) => textOf(term) + space).join('');
        expect(read(text)).toEqual(written.map(([term]) => term));
      }),
    );
  });

  it('keeps its meaning with fixed times, and has no other term changed', () => {
    const now = new Date('2026-11-27T10:00:00.000Z');
    expect(withFixedTimes('a  since:2h ended<1d until:2026-01-01 "b"', now)).toBe(
      'a  enqueued>2026-11-27T08:00:00.000Z ended<2026-11-26T10:00:00.000Z until:2026-01-01 "b"',
    );
    expect(() => withFixedTimes('since:x', now)).toThrow(SearchError);
  });
});

type Meant = ReturnType<typeof meant>[number];

const someText = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\0\p{Surrogate}]/u.test(text));
const someValues = fc.array(
  someText.map((text) => ({ text, isPrefix: false })),
  { minLength: 1, maxLength: 3 },
);
const FREE = TEXT_FIELDS.filter((field) => !['id', 'state', 'batch'].includes(field));

const aTerm: fc.Arbitrary<Meant> = fc.oneof(
  fc.record({ field: fc.constantFrom('word' as const, ...FREE), values: someValues }),
  fc.record({ field: fc.constantFrom(...NAMED_FIELDS), name: fc.constantFrom('a', 'a.b', 'é-1'), values: someValues }),
  fc.record({
    field: fc.constant('state' as const),
    values: fc.array(
      fc.constantFrom(...TASK_STATUSES).map((text) => ({ text, isPrefix: false })),
      { minLength: 1 },
    ),
  }),
  fc.record({
    field: fc.constantFrom(...([...PREFIXED] as 'key'[])),
    values: fc.tuple(fc.constantFrom('a', 'inv-', '**').map((text) => ({ text, isPrefix: true }))),
  }),
  fc.record({
    field: fc.constantFrom('enqueued' as const, 'ended' as const),
    bound: fc.constantFrom('>' as const, '<' as const),
    than: fc.oneof(
      fc.nat(999_999).map((seconds) => ({ ago: seconds * 1_000 })),
      fc
        .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
        .map((at) => ({ at })),
    ),
  }),
) as fc.Arbitrary<Meant>;

function textOf(term: Meant): string {
  if ('than' in term) {
    const { field, bound, than } = term;
    return `${field}${bound}${'at' in than ? than.at.toISOString() : `${than.ago / 1_000}s`}`;
  }
  const values = term.values.map(({ text, isPrefix }) =>
    isPrefix ? `${text}*` : `"${text.replaceAll(/["\\]/gu, '\\$&')}"`,
  );
  const head = 'name' in term ? `${term.field}.${term.name}:` : term.field === 'word' ? '' : `${term.field}:`;
  return head + values.join(',');
}
