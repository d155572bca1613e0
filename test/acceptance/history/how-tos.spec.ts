import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { runCli } from '../../support/run-cli.js';
import { type RunningService, startService } from '../../support/running-service.js';

const ROOT = join(import.meta.dirname, '../../..');
const GUIDES = [
  'look-at-the-past',
  'why-did-this-run-late',
  'see-who-changed-what',
  'see-what-changed',
  'run-a-task-again',
  'find-what-led-to-a-task',
  'find-tasks',
  'try-a-command-first',
];
const TYPESCRIPT = { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } } as const;

/** Queue 'mail' has had two policies, a task that failed and one that was held; there is a trigger 'nightly'. */
let service: RunningService;
let task: string;
/** One that has failed just now. */
let newest: string;
let positions: readonly string[];
beforeAll(async () => {
  service = await startService({ smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'waybill@example.com' });
  const { waybill } = service;
  const queue = waybill.queue('mail');
  await queue.define({ onFailure: 'fail' });
  await waybill.queue('letters').define();
  await waybill.queue('orders').define({ search: ['customer', 'order.id'] });
  await queue.changePolicy({ leaseMs: 45_000 }, { ifVersion: 1 });
  await waybill.holds.place('legal', { customer: 'a' });
  await waybill.trigger('nightly').define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: 'mail' } });
  task = await fail();
  positions = (await waybill.task(task).history()).map(({ position }) => position);
});
afterAll(() => service.stop());

/** One more task that has failed, which a command may retry. */
async function fail(): Promise<string> {
  const queue = service.waybill.queue('mail');
  await queue.enqueue('a');
  const [claimed] = await queue.claim({ worker: 'w1', waitMs: 10_000 });
  const error = { message: 'no route', class: 'business' } as const;
  await service.waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'fail', error } }]);
  return claimed!.taskId;
}

const guide = (name: string): string => readFileSync(join(ROOT, `docs/how-to/${name}.md`), 'utf8');
const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp('```' + language + '\\n([\\s\\S]*?)```', 'g'))].map(([, block]) => block!);

const timeAt = (ago: number): string => new Date(Date.now() - ago).toISOString();

/** As the reader types it, with ids, times, positions and versions of their own. */
const ofReader = (text: string): string =>
  text
    .replaceAll(/019a7f99-[0-9a-f-]{27}/g, newest)
    .replaceAll(/019a7f3e-[0-9a-f-]{27}|\bID\b/g, task)
    .replaceAll(/((?:since|Since)(?: |=|: '))\d{4}[-\dT:.]+Z/g, (_, option: string) => option + timeAt(3_600_000))
    .replaceAll(/(--as-of |asOf\(')(?:\d{4}[-\dT:.]+Z|TIME)/g, (_, option: string) => option + positions.at(-1)!)
    .replaceAll(/(until(?: |=|: '))\d{4}[-\dT:.]+Z/g, (_, option: string) => option + timeAt(0))
    .replaceAll(/\b9384(\d)\b/g, (_, last: string) => positions[Number(last) - 4]!)
    .replaceAll(/(policyVersion(?:: |=)|--policy-version )\d/g, '$12')
    .replaceAll('6..7', '1..2');

describe.each(GUIDES)('the guide %s', (name) => {
  const text = guide(name);
  const lines = [
    ...blocksOf(text, 'sh').flatMap((block) => block.trim().split('\n')),
    ...[...text.matchAll(/`(waybill [^`]+)`/g)]
      .map(([, line]) => line!)
      .filter((line) => !/^waybill [a-z]+( [a-z]+)?$/.test(line)),
  ].map((line) => line.replace(/ +#.*/, ''));

  beforeEach(async () => void (newest = await fail()));

  it('has commands', () => {
    expect(lines.length).toBeGreaterThan(1);
  });

  it.each(lines)('H-10 has a command that runs: %s', async (line) => {
    const { code, err } = await runCli(service.url, ofReader(line).replace('waybill ', ''));
    expect([code, err]).toEqual([0, expect.not.stringContaining('✗')]);
  });

  const programs = blocksOf(text, 'ts');
  if (programs.length === 0) return;
  it.each(programs)('H-10 has a program that runs: %s', async (program) => {
    const said: unknown[] = [];
    const body = transformSync(`async (waybill, console) => {${ofReader(program)}}`, TYPESCRIPT).code.replace(
      /;\s*$/,
      '',
    );
    const run = runInThisContext(body) as (...known: object[]) => Promise<void>;
    await run(service.waybill, { log: (...words: unknown[]) => said.push(...words) });
    const isOfTasks = /\btasks?\b/.test(program);
    const told = isOfTasks ? said.includes(task) || said.includes(newest) : said.length > 0;
    expect(told).toBe(program.includes('console.log'));
  });
});
