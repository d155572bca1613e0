import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ChangeNotice, Waybill } from '@waybill/client';
import { heard, unheard } from '../src/app/heard.js';

/** Whoever waits looks again whenever a stream is opened or a page hears something. */
const waiting: (() => void)[] = [];
const happened = (): void => {
  for (const look of waiting.splice(0)) look();
};

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => waiting.push(resolve));
}

/** The streams that were opened at the service, each with where it began. */
const opened: { readonly after: string | undefined; readonly tell: (notice: ChangeNotice) => void }[] = [];

/** A stream of what changes that ends with its signal. */
async function* changes({ after, signal }: Parameters<Waybill['followChanges']>[0] & object) {
  const told: ChangeNotice[] = [];
  let wake = (): void => undefined;
  opened.push({ after, tell: (notice) => (told.push(notice), wake()) });
  happened();
  signal!.addEventListener('abort', () => wake());
  while (!signal!.aborted) {
    if (told.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    yield* told.splice(0);
  }
}

/** As a browser's: one holder of a name at a time, the others in their turn. */
class Locks {
  private last: Promise<unknown> = Promise.resolve();

  request(_: string, { signal }: { signal: AbortSignal }, act: () => Promise<void>): Promise<void> {
    const turn = this.last.then(() => {
      signal.throwIfAborted();
      return act();
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

const browser = { location: new URL('http://waybill/dashboard/'), sessionStorage: { getItem: () => null } };
let followTogether: typeof import('../src/app/shared-feed.js').followTogether;
beforeEach(async () => {
  opened.length = 0;
  Object.assign(globalThis, browser);
  Object.defineProperty(globalThis, 'navigator', { value: { locks: new Locks() }, configurable: true, writable: true });
  jest.doMock('../src/app/service.js', () => ({
    serviceUrl: 'http://waybill',
    service: () => ({ followChanges: changes }),
  }));
  ({ followTogether } = await import('../src/app/shared-feed.js'));
});
afterEach(() => {
  for (const name of [...Object.keys(browser), 'navigator']) Reflect.deleteProperty(globalThis, name);
  unheard();
});

const notice = (position: string): ChangeNotice => ({
  position,
  type: 'Changed',
  everything: true,
  queues: null,
  tasks: null,
  others: null,
});

/** A page that listens, and where it has heard of changes. */
function tab() {
  const positions: string[] = [];
  const end = new AbortController();
  const over = followTogether(({ position }) => (heard(), positions.push(position), happened()), end.signal);
  return { positions, close: () => (end.abort(), over) };
}

async function stream(number: number) {
  await until(() => opened.length >= number);
  return opened[number - 1]!;
}

/** A page may hear of one position twice: as it asks where the feed is, and as the others are told. */
const hears = ({ positions }: ReturnType<typeof tab>, position: string) => until(() => positions.at(-1) === position);

it('pages share one stream, and another one goes on where it was when its holder closes', async () => {
  const [one, other] = [tab(), tab()];
  (await stream(1)).tell(notice('7'));
  await Promise.all([hears(one, '7'), hears(other, '7')]);
  await one.close();
  const second = await stream(2);
  second.tell(notice('8'));
  await hears(other, '8');
  await other.close();
  expect([opened.map(({ after }) => after), one.positions]).toEqual([[undefined, '7'], ['7']]);
});

it('a page that begins to listen later is told where the stream is', async () => {
  const one = tab();
  (await stream(1)).tell(notice('7'));
  await hears(one, '7');
  const late = tab();
  await hears(late, '7');
  await one.close();
  await stream(2);
  await late.close();
  expect(opened.map(({ after }) => after)).toEqual([undefined, '7']);
});

it('without locks, each page has a stream of its own', async () => {
  Object.assign(navigator, { locks: undefined });
  Reflect.deleteProperty(navigator, 'locks');
  const pages = [tab(), tab()];
  await stream(2);
  for (const page of pages) await page.close();
  expect(opened).toHaveLength(2);
});
