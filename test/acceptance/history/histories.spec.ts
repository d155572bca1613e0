import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventOptions, EventView, HistoryOptions, Waybill } from '@waybill/client';
import { cliOutput, jsonLines, runCli } from '../../support/run-cli.js';
import { type RunningService, startService } from '../../support/running-service.js';

interface Subject {
  /** What the filter names it by. */
  readonly filter: EventOptions;
  readonly first: string;
  readonly last: string;
}

/** Each is begun by ann and ended by bob. */
const SUBJECTS: Readonly<Record<string, (waybill: Waybill, as: (actor: string) => Waybill) => Promise<Subject>>> = {
  queue: async (_, as) => {
    await as('ann').queue('mail').define();
    await as('bob').queue('mail').pause();
    return { filter: { category: 'queue', queue: 'mail' }, first: 'QueueDefined', last: 'QueuePaused' };
  },
  batch: async (_, as) => {
    const { id } = await as('ann').createBatch({ name: 'maps' });
    await as('bob').batch(id).abort();
    return { filter: { category: 'batch', name: id }, first: 'BatchCreated', last: 'BatchAborted' };
  },
  trigger: async (_, as) => {
    const definition = { cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: 'mail' } };
    await as('ann').trigger('nightly').define(definition);
    await as('bob').trigger('nightly').disable();
    return { filter: { category: 'trigger', name: 'nightly' }, first: 'TriggerDefined', last: 'TriggerDisabled' };
  },
  hold: async (_, as) => {
    await as('ann').holds.place('legal', { customer: 'a' });
    await as('bob').holds.lift('legal');
    return { filter: { category: 'hold', name: 'legal' }, first: 'HoldPlaced', last: 'HoldLifted' };
  },
  resource: async (_, as) => {
    await as('ann').resources.define('disk', { unit: '%' });
    await as('bob').resources.delete('disk');
    return { filter: { category: 'resource', name: 'disk' }, first: 'ResourceDefined', last: 'ResourceDeleted' };
  },
  system: async (_, as) => {
    await as('ann').system.drain();
    await as('bob').system.resume();
    return { filter: { category: 'system' }, first: 'SystemDrained', last: 'SystemResumed' };
  },
  task: async (waybill, as) => {
    const { id } = await as('ann').queue('mail').enqueue('a');
    await as('bob').task(id).cancel();
    return { filter: { task: id }, first: 'TaskEnqueued', last: 'TaskCancelled' };
  },
};

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const types = (events: readonly { readonly type: string }[]): readonly string[] => events.map(({ type }) => type);

async function bySdk(filter: EventOptions): Promise<readonly string[]> {
  const events = [];
  for await (const event of service.waybill.events(filter)) events.push(event);
  return types(events);
}

async function byApi(filter: EventOptions): Promise<readonly string[]> {
  const answer = await fetch(
    `${service.url}/v1/events?${new URLSearchParams(filter as Record<string, string>).toString()}`,
  );
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, expect.any(String)]);
  return types(answer.headers.get('content-type')!.includes('ndjson') ? jsonLines(text) : JSON.parse(text).items);
}

const optionsOf = (filter: EventOptions): string =>
  Object.entries(filter)
    .map(([name, value]) => `--${name} ${String(value)}`)
    .join(' ');

const byCli = async (filter: EventOptions): Promise<readonly string[]> =>
  types(jsonLines(await cliOutput(service.url, `events ${optionsOf(filter)} --json`)));

describe('the history of a', () => {
  it.each(Object.keys(SUBJECTS))(
    '%s is read by API, client and command line, by actor, type and range',
    async (kind) => {
      const { filter, first, last } = await SUBJECTS[kind]!(service.waybill, (actor) => service.as(actor));
      const recorded = [];
      for await (const event of service.waybill.events(filter)) recorded.push(event);
      expect([recorded[0]!.type, recorded.at(-1)!.type]).toEqual([first, last]);
      const end = recorded.at(-1)!.recordedAt;
      for (const read of [bySdk, byApi, byCli]) {
        expect(await read(filter)).toEqual(types(recorded));
        expect(await read({ ...filter, actor: 'bob' })).toEqual([last]);
        expect(await read({ ...filter, type: first as 'TaskEnqueued' })).toEqual([first]);
        expect(await read({ ...filter, actor: 'bob', type: first as 'TaskEnqueued' })).toEqual([]);
        expect(await read({ ...filter, until: end })).not.toContain(last);
        expect((await read({ ...filter, since: end })).at(-1)).toBe(last);
        expect(await read({ ...filter, after: recorded.at(-1)!.position })).toEqual([]);
      }
      expect((await runCli(service.url, `events ${optionsOf(filter)}`)).out).toContain(last);
    },
  );
});

type Noun = 'queue' | 'batch' | 'trigger' | 'hold' | 'resource' | 'system';

interface Histories {
  readonly path: (name: string) => string;
  readonly read: (waybill: Waybill, name: string, options: HistoryOptions) => AsyncIterable<EventView>;
  readonly readThen: (waybill: Waybill, name: string, moment: string, limit: number) => AsyncIterable<EventView>;
}

/** How each noun's own history is read. */
const NOUNS: Readonly<Record<Noun, Histories>> = {
  queue: {
    path: (name) => `queues/${name}`,
    read: (waybill, name, options) => waybill.queue(name).history(options),
    readThen: (waybill, name, moment, limit) => waybill.asOf(moment).queue(name).history({ limit }),
  },
  batch: {
    path: (id) => `batches/${id}`,
    read: (waybill, id, options) => waybill.batch(id).history(options),
    readThen: (waybill, id, moment, limit) => waybill.asOf(moment).batch(id).history({ limit }),
  },
  trigger: {
    path: (name) => `triggers/${name}`,
    read: (waybill, name, options) => waybill.trigger(name).history(options),
    readThen: (waybill, name, moment, limit) => waybill.asOf(moment).trigger(name).history({ limit }),
  },
  hold: {
    path: (name) => `holds/${name}`,
    read: (waybill, name, options) => waybill.holds.history(name, options),
    readThen: (waybill, name, moment, limit) => waybill.asOf(moment).holds.history(name, { limit }),
  },
  resource: {
    path: (name) => `resources/${name}`,
    read: (waybill, name, options) => waybill.resources.history(name, options),
    readThen: (waybill, name, moment, limit) => waybill.asOf(moment).resources.history(name, { limit }),
  },
  system: {
    path: () => 'system',
    read: (waybill, _, options) => waybill.system.history(options),
    readThen: (waybill, _, moment, limit) => waybill.asOf(moment).system.history({ limit }),
  },
};

async function every<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The name of what is begun anew, and what `events` says of it. */
async function begun(noun: Noun): Promise<{ name: string; recorded: readonly EventView[] }> {
  const { filter } = await SUBJECTS[noun]!(service.waybill, (actor) => service.as(actor));
  const recorded = await every(service.waybill.events(filter));
  return { name: filter.queue ?? filter.name ?? '', recorded };
}

async function ownByApi(noun: Noun, name: string, query: Readonly<Record<string, string>>): Promise<any> {
  const search = new URLSearchParams(query).toString();
  const answer = await fetch(`${service.url}/v1/${NOUNS[noun].path(name)}/history?${search}`);
  return { status: answer.status, ...((await answer.json()) as object) };
}

const commandOf = (noun: Noun, name: string): string => `${noun} history ${name}`;

async function ownByCli(
  noun: Noun,
  name: string,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const given = optionsOf(options as EventOptions);
  return positions(jsonLines(await cliOutput(service.url, `${commandOf(noun, name)} --json ${given}`)));
}

const positions = (events: readonly { readonly position: string }[]): readonly string[] =>
  events.map(({ position }) => position);

describe.each(Object.keys(NOUNS) as Noun[])('the own history of a %s', (noun) => {
  it('is what events says of it, by API, client and command line, by actor, type and range', async () => {
    const { name, recorded } = await begun(noun);
    const [first, last] = [recorded[0]!, recorded.at(-1)!];
    const those = (which: (event: EventView) => boolean) => positions(recorded.filter(which));
    expect(await every(NOUNS[noun].read(service.waybill, name, {}))).toEqual(recorded);
    const readers: readonly ((options: HistoryOptions) => Promise<readonly string[]>)[] = [
      async (options) => positions(await every(NOUNS[noun].read(service.waybill, name, options))),
      async (options) => positions((await ownByApi(noun, name, options as Record<string, string>)).items),
      (options) => ownByCli(noun, name, options as Record<string, unknown>),
    ];
    for (const read of readers) {
      expect(await read({})).toEqual(positions(recorded));
      expect(await read({ actor: 'bob' })).toEqual(those(({ envelope }) => envelope.actor === 'bob'));
      expect(await read({ type: first.type })).toEqual(those(({ type }) => type === first.type));
      expect(await read({ actor: 'nobody' })).toEqual([]);
      expect(await read({ until: last.recordedAt })).not.toContain(last.position);
      expect((await read({ since: last.recordedAt })).at(-1)).toBe(last.position);
    }
    expect((await runCli(service.url, commandOf(noun, name))).out).toContain(last.type);
  });

  it('has as of a moment what had happened by then, in pages of one position', async () => {
    const { name, recorded } = await begun(noun);
    const then = recorded.at(-2)!;
    const before = recorded.slice(0, -1);
    expect(await every(NOUNS[noun].readThen(service.waybill, name, then.position, 1))).toEqual(before);
    const page = await ownByApi(noun, name, { asOf: then.position, limit: '1' });
    expect(page).toMatchObject({ items: [before[0]], asOf: { position: then.position } });
    expect(page.nextCursor === null).toBe(before.length === 1);
    expect(await ownByCli(noun, name, { 'as-of': then.position })).toEqual(positions(before));
    const now = await ownByApi(noun, name, { limit: '1' });
    await service.waybill.queue(`other-${noun}`).define();
    const next = await ownByApi(noun, name, { limit: '1', cursor: now.nextCursor });
    expect([next.items, next.asOf.position]).toEqual([[recorded[1]], now.asOf.position]);
  });

  it('is refused for a cursor of another history', async () => {
    const { name } = await begun(noun);
    const { nextCursor: cursor } = await ownByApi(noun, name, { limit: '1' });
    expect(await ownByApi(noun, name, { limit: '1', actor: 'bob', cursor })).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      errors: [{ pointer: '#/query/cursor' }],
    });
  });
});
