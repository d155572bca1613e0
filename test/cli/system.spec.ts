import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SystemView } from '@waybill/client';
import { main } from '../../packages/cli/src/index.js';

type Counts = Pick<SystemView, 'running' | 'runningInternal' | 'stopped' | 'stoppedInternal'>;

let counts: Counts;
let drain: SystemView['drain'] = null;
const answer = (): SystemView => ({
  state: 'running',
  drain,
  ...counts,
  notResumed: 0,
  quarantined: 0,
  quarantinedTasks: [],
  failingItems: 0,
  refusedOutboxRows: 0,
  mendedRows: 0,
  skippedEvents: 0,
  doubledEvents: 0,
  failingTriggers: 0,
  skippedOccurrences: 0,
  failingTargets: 0,
  firstFailingTargets: [],
  eventsPutAside: 0,
  firstEventsPutAside: [],
  lastSweepSeconds: null,
  leaders: [],
  eventStoreVersion: null,
});

let service: Server;
beforeAll(async () => {
  service = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer()));
  });
  await new Promise<void>((listening) => void service.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  service.closeAllConnections();
  await new Promise((closed) => void service.close(closed));
});

async function linesOf(given: Counts): Promise<Record<string, string>> {
  counts = given;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const env = { WAYBILL_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}` };
  const terminal = stdout as unknown as NodeJS.WriteStream;
  const code = await main(['system'], { stdin: Readable.from(['']), stdout: terminal, stderr, env });
  for (const stream of [stdout, stderr]) stream.end();
  const [out, err] = await said;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return Object.fromEntries(out.split('\n').map((line) => line.split(/ {2,}/)));
}

it.each<[Counts, { running: string; stopped?: string }]>([
  [
    { running: 3, runningInternal: 1, stopped: 3, stoppedInternal: 2 },
    {
      running: '2 tasks, and 1 task of the service itself',
      stopped: '1 task, and 2 tasks of the service itself',
    },
  ],
  [{ running: 1, runningInternal: 1, stopped: 0, stoppedInternal: 0 }, { running: '1 task of the service itself' }],
  [{ running: 0, runningInternal: 0, stopped: 0, stoppedInternal: 0 }, { running: '0 tasks' }],
  // An earlier service does not tell them apart.
  [
    { running: 2, stopped: 1 },
    { running: '2 tasks', stopped: '1 task' },
  ],
])("'waybill system' shows the service's own tasks apart: %j", async (given, shown) => {
  const { running, stopped } = await linesOf(given);
  expect({ running, stopped }).toEqual(shown);
});

it("'waybill system' says since when a drained system is quiet", async () => {
  const quiescedAt = '2026-03-01T00:05:00.000Z';
  const of = {
    intake: 'closed',
    running: 'finish',
    reason: null,
    by: 'ann',
    since: '2026-03-01T00:00:00.000Z',
  } as const;
  const none = { running: 0, stopped: 0 };
  expect((await linesOf(none)).quiet).toBeUndefined();
  drain = { ...of, quiescedAt: null };
  expect((await linesOf(none)).quiet).toBe('not yet');
  drain = { ...of, quiescedAt };
  expect((await linesOf(none)).quiet).toBe(`since ${quiescedAt}`);
});
