import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
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
      await until('the line', async () => lines.length >= 2 * time - 1 || null);
      expect(lines.at(-1)).toMatch(/^The store is away/);
      await server.resume();
      await until('an append', async () => ((await enqueue()) === 201 ? true : null));
      await until('the line', async () => (lines.length >= 2 * time ? true : null));
      expect(lines.at(-1)).toMatch(/^The store is back after [\d.]+ s$/);
    }
    expect(lines).toHaveLength(4);
  });

  it.each([
    ['initializing', /^The store is away, .*Not Ready/],
    ['busy', /^The store is away, .*Busy/],
    ['unknown', /^The store answers reads but takes no appends, .*Not Ready/],
    ['resigning', /^The store answers reads but takes no appends, .*Not Ready/],
    ['leaderless', /^The store answers reads but takes no appends, .*No leader info/],
  ] as const)(
    'is one line in the log while it answers as one that is %s, and one when it serves',
    async (state, line) => {
      server.state = state;
      expect(await enqueue()).toBe(503);
      expect(await enqueue()).toBe(503);
      await until('the line', async () => lines.length >= 1 || null);
      server.state = 'leader';
      await until('an append', async () => ((await enqueue()) === 201 ? true : null));
      await until('the line', async () => lines.length >= 2 || null);
      expect(lines).toEqual([
        expect.stringMatching(line),
        expect.stringMatching(/^The store (is back|takes appends again) after [\d.]+ s$/),
      ]);
    },
  );
});
