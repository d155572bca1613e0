import { SharedCall } from '../../../src/application/kernel/shared-call.js';

/** Calls that end when the test says so. */
function calls(): { readonly begun: number; readonly shared: SharedCall<number>; end(n: number): void } {
  const ends: ((n: number) => void)[] = [];
  const shared = new SharedCall(() => new Promise<number>((resolve) => ends.push(resolve)));
  return {
    get begun() {
      return ends.length;
    },
    shared,
    end: (n) => ends[n]!(n),
  };
}

it('given a call under way, those who ask meanwhile share one that begins afterwards', async () => {
  const asked = calls();
  const first = [asked.shared.ask(), asked.shared.ask()];
  await Promise.resolve();
  const later = [asked.shared.ask(), asked.shared.ask(), asked.shared.ask()];
  expect(asked.begun).toBe(1);
  asked.end(0);
  expect(await Promise.all(first)).toEqual([0, 0]);
  await Promise.resolve();
  expect(asked.begun).toBe(2);
  asked.end(1);
  expect(await Promise.all(later)).toEqual([1, 1, 1]);
});

it('given a call that fails, those who share it learn that, and the next one is made', async () => {
  let count = 0;
  const shared = new SharedCall(async () => {
    if (count++ === 0) throw new Error('away');
    return count;
  });
  const first = await Promise.allSettled([shared.ask(), shared.ask()]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await shared.ask()).toBe(2);
});
