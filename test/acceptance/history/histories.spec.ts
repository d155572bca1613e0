import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventOptions, Waybill } from '@waybill/client';
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
