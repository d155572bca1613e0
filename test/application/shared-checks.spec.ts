import { describe, expect, it } from '@jest/globals';
import { SharedChecks } from '../../src/application/tasks/shared-checks.js';

const look = (stream: string) => ({ stream }) as never;
const CONTEXT = { actor: 'ann', correlationId: 'c' };

/** A runner whose checks end when the test says so. */
function checks() {
  const asked: string[][] = [];
  const ends: (() => void)[] = [];
  const runMany = (_: unknown, commands: readonly { readonly stream: string }[]) => {
    asked.push(commands.map(({ stream }) => stream));
    return new Promise((resolve) => ends.push(() => resolve(commands.map(({ stream }) => ({ of: stream })))));
  };
  return { asked, end: () => ends.splice(0).forEach((end) => end()), all: new SharedChecks({ runMany } as never) };
}

describe('checks at waiting tasks', () => {
  it('are shared by all who want the same key meanwhile', async () => {
    const { asked, end, all } = checks();
    const found = Array.from({ length: 100 }, () => all.at([look('a'), look('b'), look('a')], CONTEXT));
    end();
    for (const one of await Promise.all(found)) expect(one).toEqual([{ of: 'a' }, { of: 'b' }, { of: 'a' }]);
    expect(asked).toEqual([['a', 'b']]);
  });

  it('begin anew once they have ended', async () => {
    const { asked, end, all } = checks();
    for (let n = 0; n < 2; n++) {
      const found = all.at([look('a')], CONTEXT);
      end();
      await found;
    }
    expect(asked).toEqual([['a'], ['a']]);
  });

  it('of a transaction are its own', async () => {
    const { asked, end, all } = checks();
    const found = [1, 2].map(() => all.at([look('a')], { ...CONTEXT, unit: {} as never }));
    end();
    await Promise.all(found);
    expect(asked).toEqual([['a'], ['a']]);
  });
});
