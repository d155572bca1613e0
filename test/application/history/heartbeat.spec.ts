import { expect, it, jest } from '@jest/globals';
import { withHeartbeat } from '../../../src/application/history/heartbeat.js';

interface Page {
  readonly events: readonly number[];
  readonly reached: bigint;
  readonly caughtUp?: boolean;
}

const page = (...events: number[]): Page => ({ events, reached: BigInt(events.at(-1) ?? 0) });

/** A source of pages from the test. It ends when the test says so, or when its reader leaves. */
class Source implements AsyncIterable<Page> {
  asked = 0;
  left = false;
  private readonly waiting: ((result: IteratorResult<Page>) => void)[] = [];

  [Symbol.asyncIterator](): AsyncIterator<Page> {
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

  give(value: Page): void {
    this.waiting.shift()!({ done: false, value });
  }

  end(): void {
    this.waiting.shift()!({ done: true, value: undefined });
  }
}

const NEVER = 60_000;

it('yields the pages, and asks for the next one after the last was taken', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, 0n, NEVER);
  const first = pages.next();
  source.give(page(1, 2));
  expect(await first).toEqual({ done: false, value: page(1, 2) });
  expect(source.asked).toBe(1);
  const second = pages.next();
  source.give(page(3));
  expect((await second).value).toEqual(page(3));
  const last = pages.next();
  source.end();
  expect((await last).done).toBe(true);
  expect(source.left).toBe(true);
});

it('yields an empty page after a silence, and loses no later page', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, 0n, 1);
  expect((await pages.next()).value).toEqual(page());
  expect((await pages.next()).value).toEqual(page());
  expect(source.asked).toBe(1);
  source.give(page(7));
  expect((await pages.next()).value).toEqual(page(7));
});

it('does not count the heartbeats of its source as its own', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, 0n, NEVER);
  const next = pages.next();
  for (let sign = 0; sign < 3; sign++) {
    source.give(page());
    while (source.asked <= sign + 1) await Promise.resolve();
  }
  source.give(page(7));
  expect((await next).value).toEqual(page(7));
});

it('keeps its interval while its source sends only heartbeats', async () => {
  jest.useFakeTimers();
  let signs = 0;
  const chatter = async function* (): AsyncGenerator<Page> {
    for (; ; signs++) {
      await Promise.resolve();
      jest.advanceTimersByTime(1);
      yield page();
    }
  };
  const pages = withHeartbeat(chatter(), 0n, 5);
  expect((await pages.next()).value).toEqual(page());
  expect(signs).toBe(4);
  jest.useRealTimers();
  await pages.return(undefined);
});

it('closes its source when its reader leaves, and passes on its errors', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, 0n, 1);
  await pages.next();
  await pages.return(undefined);
  expect(source.left).toBe(true);
  const broken = async function* (): AsyncGenerator<Page> {
    yield page(1);
    throw new Error('disk');
  };
  const rest = withHeartbeat(broken(), 0n, NEVER);
  await rest.next();
  await expect(rest.next()).rejects.toThrow('disk');
});

it('tells how far its source has come, also through pages without events', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, 4n, 10);
  const next = pages.next();
  source.give({ events: [], reached: 9n });
  expect((await next).value).toEqual({ events: [], reached: 9n });
});

it('yields a page without events at once if the source has caught up', async () => {
  const source = new Source();
  const pages = withHeartbeat(source, 4n, NEVER);
  const next = pages.next();
  source.give({ events: [], reached: 9n, caughtUp: true });
  expect((await next).value).toEqual({ events: [], reached: 9n, caughtUp: true });
});
