import { describe, expect, it } from '@jest/globals';
import { coalesced } from './coalesce.js';
import { gate } from './gate.js';

/** Calls that end when the test says so. */
class Calls {
  readonly seen: (readonly number[])[] = [];
  private ends: { resolve: (results: readonly number[]) => void; reject: (error: Error) => void }[] = [];

  readonly run = (items: readonly number[]): Promise<readonly number[]> => {
    this.seen.push(items);
    return new Promise((resolve, reject) => this.ends.push({ resolve, reject }));
  };

  end(results: readonly number[]): void {
    this.ends.shift()!.resolve(results);
  }

  fail(error: Error): void {
    this.ends.shift()!.reject(error);
  }
}

describe('coalesced', () => {
  it('sends concurrent requests together, then those that gathered meanwhile, and answers each with its own result', async () => {
    const calls = new Calls();
    const double = coalesced(calls.run, 10);
    const first = [double(1), double(2)];
    await Promise.resolve();
    const second = [double(3), double(4)];
    calls.end([2, 4]);
    expect(await Promise.all(first)).toEqual([2, 4]);
    expect(calls.seen).toEqual([
      [1, 2],
      [3, 4],
    ]);
    calls.end([6, 8]);
    expect(await Promise.all(second)).toEqual([6, 8]);
  });

  it('sends no more than its limit at once', async () => {
    const double = coalesced(async (items: readonly number[]) => [items.length], 2);
    expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, undefined, 1]);
  });

  it('rejects the requests of a failed call, and no others', async () => {
    const calls = new Calls();
    const double = coalesced(calls.run, 1);
    const [bad, good] = [double(1), double(2)];
    await Promise.resolve();
    calls.fail(new Error('no'));
    await expect(bad).rejects.toThrow('no');
    calls.end([4]);
    expect(await good).toBe(4);
  });
});

describe('gate', () => {
  it('lets in as many callers as it has room for, and the others in their order, even after a failure', async () => {
    const enter = gate(2);
    const inside: number[] = [];
    const leave: (() => void)[] = [];
    const work = (id: number) => () => new Promise<void>((resolve) => (inside.push(id), leave.push(resolve)));
    const failing = enter(() => Promise.reject(new Error('no')));
    const others = [1, 2, 3].map((id) => enter(work(id)));
    await expect(failing).rejects.toThrow('no');
    expect(inside).toEqual([1, 2]);
    leave[0]!();
    await others[0];
    expect(inside).toEqual([1, 2, 3]);
    for (const end of leave) end();
    await Promise.all(others);
    const again = [4, 5].map((id) => enter(work(id)));
    expect(inside).toEqual([1, 2, 3, 4, 5]);
    for (const end of leave) end();
    await Promise.all(again);
  });
});
