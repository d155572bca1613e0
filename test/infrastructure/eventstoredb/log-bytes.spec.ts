import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { roughBytes, STEP_BYTES } from '../../../src/domain/kernel/byte-budget.js';
import { enqueue, item, queueDefined } from '../../support/events.js';
import { lasting } from '../../support/lasting.js';
import { type LogFixture, openLog } from '../../support/eventstoredb/open-log.js';

/** EventStoreDB takes events of up to 1 MiB. */
const LARGE = 900_000;
const EVENTS = 24;
const bytesOf = (page: readonly RecordedEvent[]): number =>
  page.reduce((bytes, { event }) => bytes + roughBytes(event.data), 0);

describe('a page of the log in EventStoreDB has 4 MiB, and the next ones have the rest:', () => {
  let fixture: LogFixture;
  let streams: string[];
  beforeAll(async () => {
    fixture = await openLog();
    const items = Array.from({ length: EVENTS }, () => enqueue('q', { payload: 'x'.repeat(LARGE) }));
    streams = items.map(({ stream }) => stream);
    for (const item of items) await fixture.log.append([item]);
  });
  afterAll(() => fixture.close());

  function expectWhole(pages: readonly (readonly RecordedEvent[])[]): void {
    for (const page of pages) expect(bytesOf(page)).toBeLessThan(STEP_BYTES + LARGE);
    expect(pages.flat().map(({ stream }) => stream)).toEqual(streams);
  }

  it('as read', async () => {
    const pages: (readonly RecordedEvent[])[] = [];
    do pages.push(await fixture.log.readAll(pages.at(-1)?.at(-1)?.position ?? 0n, 1_000));
    while (pages.at(-1)!.length > 0);
    expectWhole(pages);
  });

  it('as filtered', async () => {
    const [pages, upTo]: [(readonly RecordedEvent[])[], bigint] = [[], await fixture.log.head()];
    for (let after = 0n; after < upTo;) {
      const slice = await fixture.log.scan({ after, upTo }, 1_000, { queue: 'q' });
      expect(slice.reached).toBeGreaterThan(after);
      pages.push(slice.events);
      after = slice.reached;
    }
    expectWhole(pages);
  });

  it('as followed by a slow reader', async () => {
    const [pages, over]: [(readonly RecordedEvent[])[], AbortController] = [[], new AbortController()];
    for await (const page of fixture.log.subscribe(0n, { signal: over.signal })) {
      pages.push(page);
      if (pages.length === 1) await lasting(500);
      if (pages.flat().length === EVENTS) over.abort();
    }
    expectWhole(pages);
  });

  it('as the histories of many streams', async () => {
    const some = await fixture.log.readFirst(streams);
    expect(some.length).toBeLessThan(EVENTS);
    expect((await fixture.log.readStreams(streams)).map(([first]) => first!.stream)).toEqual(streams);
  });

  it('as of one stream', async () => {
    const [stream, pages]: [string, (readonly RecordedEvent[])[]] = ['queue-large', []];
    for (let n = 0; n < 10; n++) {
      const { type, version, data } = queueDefined('large');
      await fixture.log.append([
        item(stream, n - 1, [{ type, version, data: { ...data, description: 'x'.repeat(LARGE) } }]),
      ]);
    }
    const upTo = await fixture.log.head();
    for (let after = 0n; after < upTo;) {
      const slice = await fixture.log.scan({ after, upTo }, 1_000, { stream });
      expect(slice.reached).toBeGreaterThan(after);
      pages.push(slice.events);
      after = slice.reached;
    }
    for (const page of pages) expect(bytesOf(page)).toBeLessThan(STEP_BYTES + LARGE);
    expect(pages.flat().map(({ revision }) => revision)).toEqual(Array.from({ length: 10 }, (_, n) => n));
  });
});
