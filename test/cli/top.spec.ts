import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueStats } from '@waybill/client';
import { main } from '../../packages/cli/src/index.js';
import { Rates } from '../../packages/cli/src/top/rates.js';
import { jsonLines, runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define({});
  const { position } = await service.waybill.queue('mail').enqueue({});
  await service.caughtUp('queue-stats', position);
});
afterAll(() => service.stop());

describe('waybill top', () => {
  it('prints one screen without a terminal, or one document', async () => {
    const { code, out } = await runCli(service.url, 'top');
    expect(code).toBe(0);
    expect(out).toMatch(/^waybill {2}running {2}1 pending, 0 running, 0 failed/);
    expect(out).toMatch(/^mail +(ok|no worker) +1 +0 +0 +0 +- +- /m);
    const [view] = jsonLines((await runCli(service.url, 'top --json')).out);
    expect(view).toMatchObject({ queues: [{ queue: 'mail', counts: { pending: 1 } }], system: { state: 'running' } });
  });

  it.each([80, 120])('redraws when something changes, in %d columns, and ends with q', async (columns) => {
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 24 });
    const stdin = new PassThrough();
    let shown = '';
    stdout.on('data', (text) => (shown += String(text)));
    const env = { WAYBILL_URL: service.url, WAYBILL_ACTOR: 'ann', NO_COLOR: '1' };
    const streams = { stdin, stdout: stdout as unknown as NodeJS.WriteStream, stderr: new PassThrough(), env };
    const ended = main(['top'], streams);
    const before = (await service.waybill.queue('mail').stats()).counts.pending ?? 0;
    await until('the screen', async () => shown.includes(`${before} pending`) || null);
    await service.waybill.queue('mail').enqueue({});
    await until('a new screen', async () => shown.includes(`${before + 1} pending`) || null);
    stdin.write('q');
    expect(await ended).toBe(0);
    expect(shown.endsWith('\u001b[?1049l')).toBe(true);
    const lines = stripVTControlCharacters(shown.replaceAll('\u001b[H', '\n')).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });
});

describe('rates', () => {
  const seen = (queue: string, started: number): QueueStats =>
    ({ queue, waitingMs: { count: started }, runningMs: { count: started } }) as QueueStats;

  it('are what happened over the last seconds, and none when nothing is heard', () => {
    const rates = new Rates();
    rates.see(0, [seen('mail', 100)]);
    expect(rates.of('mail', 0)).toBeNull();
    rates.see(5_000, [seen('mail', 150)]);
    expect(rates.of('mail', 5_000)).toEqual({ started: 10, ended: 10 });
    expect(rates.of('mail', 60_000)).toEqual({ started: 0, ended: 0 });
    rates.see(61_000, [seen('mail', 151)]);
    expect(rates.of('mail', 61_000)!.started).toBeLessThanOrEqual(1);
    expect(rates.of('other', 61_000)).toBeNull();
  });
});
