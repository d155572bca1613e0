import { describe, expect, it } from '@jest/globals';
import type { Asked, KnownValues } from '../../src/projections/tasks/suggestions/known-values.js';
import { SuggestTerms, SuggestTermsHandler } from '../../src/projections/tasks/suggestions/suggest-terms.query.js';

/** What is suggested where all names and values are these, and the queues that were asked for. */
async function suggested(search: string, known: readonly string[], covered: readonly string[] | null = null) {
  const asked: Asked['queues'][] = [];
  const found = async (_field: string, { queues }: Asked) => {
    asked.push(queues);
    return known.map((text) => ({ text }));
  };
  const handler = new SuggestTermsHandler({ namesOf: found, valuesOf: found } as unknown as KnownValues);
  const { items } = await handler.execute(new SuggestTerms(search, covered && new Set(covered)));
  return { texts: items.map(({ text }) => text), asked };
}

describe('suggestions for a search', () => {
  it('leave out the names of fields that no search can write', async () => {
    const names = ['region', 'two words', 'a:b', 'a"b', 'a,b', 'a<b'];
    expect((await suggested('label.', names)).texts).toEqual(['label.region:']);
  });

  it('are twenty at most', async () => {
    const values = Array.from({ length: 30 }, (_, at) => `v${at}`);
    expect((await suggested('kind:', values)).texts).toEqual(values.slice(0, 20));
  });

  it('are of the queues that the search names, as far as the key covers them', async () => {
    expect((await suggested('kind:', [])).asked).toEqual([null]);
    expect((await suggested('queue:mail,scan kind:', [])).asked).toEqual([['mail', 'scan']]);
    expect((await suggested('queue:mail,scan kind:', [], ['scan', 'print'])).asked).toEqual([['scan']]);
    expect((await suggested('kind:', [], ['scan', 'print'])).asked).toEqual([['scan', 'print']]);
  });
});
