import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { EventStoreUnavailable } from '../../../src/application/kernel/event-store.port.js';
import { Loop } from '../../../src/infrastructure/projection-engine/loop.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

describe('an EventStoreDB that is away for a while', () => {
  let server: EventStoreDbFixture;
  let service: RunningService;
  let lines: string[];
  beforeEach(async () => {
    server = await EventStoreDbFixture.start();
    service = await startService({ eventStoreUrl: server.url });
    await service.waybill.queue('mail').define();
    lines = [];
    for (const level of ['log', 'warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => void lines.push(String(line)));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.stop();
    await server.stop();
  });

  const enqueue = async (): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${service.url}/v1/queues/mail/tasks`, { method: 'POST', headers, body: '{}' })).status;
  };

  it('is one line in the log when it goes, and one when it is back, with the time between', async () => {
    for (const time of [1, 2]) {
      await server.stop();
      // While it is tried again, everything else in the process looks for it, too.
      expect(await enqueue()).toBe(503);
      expect(lines).toHaveLength(2 * time - 1);
      expect(lines.at(-1)).toMatch(/^The store is away/);
      await server.resume();
      await until('an append', async () => ((await enqueue()) === 201 ? true : null));
      await until('the line', async () => (lines.length >= 2 * time ? true : null));
      expect(lines.at(-1)).toMatch(/^The store is back after [\d.]+ s$/);
    }
    expect(lines).toHaveLength(4);
  });
});

describe('a loop that finds no store', () => {
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    [true, 0],
    [false, 3],
  ])('says so if nobody has said it (%s)', async (isTold, most) => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    let rounds = 0;
    const loop = new Loop('look', () => {
      rounds += 1;
      return Promise.reject(Object.assign(new EventStoreUnavailable('away'), { isTold }));
    });
    loop.start();
    await until('three rounds', () => Promise.resolve(rounds >= 3 || null));
    await loop.stop();
    expect(warned.mock.calls.length).toBeGreaterThanOrEqual(most);
    expect(warned.mock.calls.length === 0).toBe(isTold);
  });
});
