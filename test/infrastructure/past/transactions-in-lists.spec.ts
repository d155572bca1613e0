import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { type RunningService, startService } from '../../support/running-service.js';

interface Page {
  readonly code?: string;
  readonly items: readonly { readonly id: string }[];
}

/** On a server that stores appends to many streams one after the other. */
describe('H-09 lists as of a position amid a transaction, with the events in EventStoreDB', () => {
  let server: EventStoreDbFixture;
  let service: RunningService;
  beforeAll(async () => {
    server = await EventStoreDbFixture.start({ scheme: 'esdb', release: '24.6.0' });
    service = await startService({ eventStoreUrl: server.url });
    await service.waybill.queue('mail').define();
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  async function listed(query: string): Promise<{ status: number } & Page> {
    const answer = await fetch(`${service.url}/v1/tasks?queue=mail&${query}`);
    return { status: answer.status, ...((await answer.json()) as Page) };
  }

  const positionOf = async (task: string): Promise<string> =>
    (await service.eventAfter('0', { task, type: 'TaskEnqueued' })).position;

  it('have its first parts, once all of it is stored, and are refused until then', async () => {
    const [first, second] = [uuidv7(), uuidv7()];
    let [release, reached]: (() => void)[] = [];
    const [held, until] = [
      new Promise<void>((resolve) => (reached = resolve)),
      new Promise<void>((resolve) => (release = resolve)),
    ];
    server.faults.planAppend({ kind: 'hold', until }, (name) => name.endsWith(second!) && (reached!(), true));
    const transaction = service.waybill.transaction((tx) => {
      for (const id of [first, second]) tx.queue('mail').enqueue(id, { id });
    });
    await held;
    const amid = await positionOf(first);
    for (const query of [`asOf=${amid}`, `asOf=${amid}&state=pending`])
      expect(await listed(query)).toMatchObject({ status: 503, code: 'PROJECTION_BEHIND' });
    release!();
    const { position } = await transaction;
    for (const query of [`asOf=${amid}`, `asOf=${amid}&state=pending`])
      expect((await listed(query)).items.map(({ id }) => id)).toEqual([first]);
    expect((await listed(`asOf=${position}`)).items).toHaveLength(2);
  });
});
