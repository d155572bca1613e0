import { describe, expect, it } from '@jest/globals';
import { ahead } from '../../../src/application/kernel/ahead.js';

interface Begun {
  readonly item: number;
  readonly end: (result: number) => void;
  readonly fail: (error: Error) => void;
}

/** Work whose ends the test decides. */
function work() {
  const begun: Begun[] = [];
  const on = (item: number): Promise<number> => {
    const { promise, resolve: end, reject: fail } = deferred();
    begun.push({ item, end, fail });
    return promise;
  };
  return { begun, on };
}

function deferred() {
  let resolve!: (result: number) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<number>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

describe('Work ahead of its results', () => {
  it('gives the results in the order of the items, whichever ends first', async () => {
    const { begun, on } = work();
    const results = ahead([1, 2, 3], 2, on);
    const first = results.next();
    begun[1]!.end(20);
    begun[0]!.end(10);
    expect(await first).toEqual({ value: 10, done: false });
    expect(await results.next()).toEqual({ value: 20, done: false });
    begun[2]!.end(30);
    expect(await results.next()).toEqual({ value: 30, done: false });
    expect(await results.next()).toEqual({ value: undefined, done: true });
  });

  it('begins with no more than are wanted at once', () => {
    const { begun, on } = work();
    void ahead([1, 2, 3, 4], 2, on).next();
    expect(begun.map(({ item }) => item)).toEqual([1, 2]);
  });

  it('ends with the first error in this order, and leaves no other one alone', async () => {
    const { begun, on } = work();
    const results = ahead([1, 2], 2, on);
    const first = results.next();
    begun[1]!.fail(new Error('the second'));
    begun[0]!.fail(new Error('the first'));
    await expect(first).rejects.toThrow('the first');
    expect(await results.next()).toEqual({ value: undefined, done: true });
  });
});
