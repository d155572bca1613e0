import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import { main } from '../../packages/cli/src/index.js';
import { Live } from '../../packages/cli/src/terminal/live.js';
import { cliOutput, runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define({});
});
afterAll(() => service.stop());

/** A command line on a terminal of its own. */
function onTerminal(columns: number, ...args: readonly string[]) {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 24 });
  const stdin = new PassThrough();
  const terminal = { shown: '', type: (keys: string) => stdin.write(keys) };
  stdout.on('data', (text) => (terminal.shown += String(text)));
  const env = { WAYBILL_URL: service.url, WAYBILL_ACTOR: 'ann', NO_COLOR: '1' };
  const streams = { stdin, stdout: stdout as unknown as NodeJS.WriteStream, stderr: new PassThrough(), env };
  return { terminal, ended: main(args, streams) };
}

const screensOf = (shown: string): readonly string[] => shown.split('\u001b[H').slice(1).map(stripVTControlCharacters);

describe('--watch', () => {
  it('shows a list again when something changes, within the terminal, and ends with q', async () => {
    const { terminal, ended } = onTerminal(80, 'tasks', '--queue', 'mail', '--watch');
    await until('an empty list', async () => terminal.shown.includes(' UTC') || null);
    const { id } = await service.waybill.queue('mail').enqueue({});
    await until('the task', async () => terminal.shown.includes(id.slice(-8)) || null);
    terminal.type('q');
    expect(await ended).toBe(0);
    expect(terminal.shown.endsWith('\u001b[?1049l')).toBe(true);
    const lines = screensOf(terminal.shown).flatMap((screen) => screen.split('\n'));
    expect(lines[0]).toMatch(/^waybill tasks --queue mail {2}\d\d:\d\d:\d\d UTC$/);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('asks again only when the last question is answered', async () => {
    const looks: string[] = [];
    const look = async () => {
      looks.push('asked');
      await new Promise((resolve) => setImmediate(resolve));
      looks.push('answered');
    };
    async function* followChanges({ onPosition }: { onPosition: (position: string) => void }) {
      onPosition('1');
      onPosition('2');
      yield {};
    }
    const stdout = Object.assign(new PassThrough(), { rows: 24 }) as unknown as NodeJS.WriteStream;
    const session = { stdin: new PassThrough(), stdout, waybill: { followChanges } as unknown as Waybill };
    await new Live(session, { look, lines: () => [] }).run();
    expect(looks).toEqual(Array.from({ length: 4 }, () => ['asked', 'answered']).flat());
  });

  it('ends with what the service refuses', async () => {
    const { terminal, ended } = onTerminal(80, 'queue', 'show', 'nothing', '--watch');
    expect(await ended).toBe(1);
    expect(terminal.shown).toBe('');
  });

  it.each([
    ['queues --watch', 'Expected a terminal for --watch'],
    ['queues --watch --as-of 10m', "option '--watch' cannot be used with option '--as-of"],
    ['events --watch', "unknown option '--watch'"],
  ])('is refused without a terminal, for the past, and where nothing is shown anew: %s', async (args, says) => {
    const { code, out, err } = await runCli(service.url, args);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(says)]);
  });
});

describe('waybill logs', () => {
  it('prints what the handlers of a task said, also by the end of its id', async () => {
    const queue = service.waybill.queue('talk');
    await queue.define();
    const { id } = await queue.enqueue({});
    const worker = service.waybill.worker({ logger: null }).handle('talk', async (_task, run) => run.log('half done'));
    await worker.start();
    await service.waybill.task(id).result();
    await worker.stop();
    expect(await cliOutput(service.url, `logs ${id}`)).toMatch(/#1 {2}info {3}half done\n$/);
    expect(await cliOutput(service.url, `logs ${id.slice(-8)}`)).toMatch(/half done\n$/);
  });
});
