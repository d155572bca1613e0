import { expect, it, jest } from '@jest/globals';
import { withHeartbeat } from '../../../src/application/history/heartbeat.js';

/** A source of pages from the test. It ends when the test says so, or when its reader leaves. */
class Source implements AsyncIterable<readonly number[]> {
  asked = 0;
  left = false;
  private readonly waiting: ((result: IteratorResult<readonly number[]>) => void)[] = [];

  [Symbol.asyncIterator](): AsyncIterator<readonly number[]> {
    return {
      next: () => {
        this.asked++;
        return new Promise((resolve) => this.waiting.push(resolve));
      },
      return: async () => {
        this.left = true;
        return { done: true, value: undefined };
      },
    };
  }

  give(...page: number[]): void {
    this.waiting.shift()!({ done: false, value: page });
  }

  end(): void {
    this.waiting.shift()!({ done: true, value: undefined });
  }
}

const NEVER = 60_000;

it('yields the pages, and asks for the next one after the last was taken', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, NEVER);
  const first = pages.next();
  source.give(1, 2);
  expect(await first).toEqual({ done: false, value: [1, 2] });
  expect(source.asked).toBe(1);
  const second = pages.next();
  source.give(3);
  expect((await second).value).toEqual([3]);
  const last = pages.next();
  source.end();
  expect((await last).done).toBe(true);
  expect(source.left).toBe(true);
});

it('yields an empty page after a silence, and loses no later page', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, 1);
  expect((await pages.next()).value).toEqual([]);
  expect((await pages.next()).value).toEqual([]);
  expect(source.asked).toBe(1);
  source.give(7);
  expect((await pages.next()).value).toEqual([7]);
});

it('does not count the heartbeats of its source as its own', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, NEVER);
  const next = pages.next();
  for (let sign = 0; sign < 3; sign++) {
    source.give();
    while (source.asked <= sign + 1) await Promise.resolve();
  }
  source.give(7);
  expect((await next).value).toEqual([7]);
});

it('keeps its interval while its source sends only heartbeats', async () => {
  jest.useFakeTimers();
  let signs = 0;
  const chatter = async function* (): AsyncGenerator<readonly number[]> {
    for (; ; signs++) {
      await Promise.resolve();
      jest.advanceTimersByTime(1);
      yield [];
    }
  };
  const pages = withHeartbeat(chatter(), 5);
  expect((await pages.next()).value).toEqual([]);
  expect(signs).toBe(4);
  jest.useRealTimers();
  await pages.return(undefined);
});

it('closes its source when its reader leaves, and passes on its errors', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, 1);
  await pages.next();
  await pages.return(undefined);
  expect(source.left).toBe(true);
  const broken = async function* (): AsyncGenerator<readonly number[]> {
    yield [1];
    throw new Error('disk');
  };
  const rest = withHeartbeat(broken(), NEVER);
  await rest.next();
  await expect(rest.next()).rejects.toThrow('disk');
});
