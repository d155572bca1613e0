import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cliOutput, runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/waybill.js');

let service: RunningService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define({});
  await service.waybill.queue('mirror').define({});
  folder = await mkdtemp(join(tmpdir(), 'waybill-completion-'));
  await writeFile(join(folder, 'waybill'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  await chmod(join(folder, 'waybill'), 0o755);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const words = async (current: string, typed = ''): Promise<string[]> =>
  (await cliOutput(service.url, `completion words --current '${current}' -- ${typed}`)).split('\n').slice(0, -1);

describe('a command line goes on with', () => {
  it('commands, those of a command, options, choices of an option, and queues', async () => {
    expect(await words('queue')).toEqual(['queues', 'queue']);
    expect(await words('sh', 'task')).toEqual(['show']);
    expect(await words('--li', 'tasks mail')).toEqual(['--limit']);
    expect(await words('', 'tasks --sort')).toEqual(['deadline', 'newest']);
    expect(await words('mi', 'queue show')).toEqual(['mirror']);
    expect(await words('m', 'tasks --queue')).toEqual(['mail', 'mirror']);
    expect(await words('m', 'tasks --queue mail')).toEqual([]);
    expect(await words('b', 'completion')).toEqual(['bash']);
  });

  it('nothing of a service that does not answer, without a word about it', async () => {
    const ran = await runCli('http://127.0.0.1:2', 'completion words --current m -- queue show');
    expect(ran).toEqual({ code: 0, out: '', err: '' });
  });
});

it('bash completes with what the program prints for it', async () => {
  const script = [
    'source <(waybill completion bash)',
    'complete -p waybill',
    'COMP_WORDS=(waybill queue pause ma); COMP_CWORD=3; _waybill; echo "${COMPREPLY[@]}"',
    'COMP_WORDS=(waybill completion ""); COMP_CWORD=2; _waybill; echo "${COMPREPLY[@]}"',
  ].join('\n');
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, WAYBILL_URL: service.url };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
  expect(stdout.split('\n')).toEqual(['complete -o default -F _waybill waybill', 'mail', 'bash zsh fish words', '']);
});

it('zsh and fish get scripts that ask the same', async () => {
  for (const shell of ['zsh', 'fish'])
    expect(await cliOutput(service.url, `completion ${shell}`)).toMatch(/completion words --current/);
});
