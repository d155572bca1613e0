import { transformSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { built } from '../packages/client/test/support/built.js';
import { type RunningService, startService } from './support/running-service.js';

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const [, PROGRAM] = /```ts\n([\s\S]*?)```/.exec(README)!;
const TYPESCRIPT = { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } } as const;

let service: RunningService;
let folder: string;
let file: string;

beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'waybill-readme-'));
  file = join(folder, 'program.mjs');
  const client = pathToFileURL(built('src/index.ts')).href;
  const source = PROGRAM!.replace("'@waybill/client'", `'${client}'`).replace('http://localhost:3000', service.url);
  writeFileSync(file, transformSync(source, TYPESCRIPT).code);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

interface Ran {
  readonly failed: boolean;
  readonly said: string;
}

const run = (): Promise<Ran> =>
  promisify(execFile)(process.execPath, [file]).then(
    ({ stdout }) => ({ failed: false, said: stdout }),
    ({ stderr }: { stderr: string }) => ({ failed: true, said: stderr }),
  );

const WORKED = {
  failed: false,
  said: expect.stringMatching(/^\S+ TaskEnqueued\n\S+ TaskClaimed\n\S+ TaskSucceeded\n$/),
};

const mail = () => service.waybill.queue('mail');

describe('the README’s program', () => {
  it('runs again and again', async () => {
    expect(await run()).toEqual(WORKED);
    expect(await run()).toEqual(WORKED);
  });

  it('waits for its own task, whatever others enqueued', async () => {
    await mail().enqueueMany(Array.from({ length: 100 }, () => ({ payload: { to: 'bob@example.org' } })));
    expect(await run()).toEqual(WORKED);
  });

  it('runs after an operator changed the policy, and keeps the change', async () => {
    await mail().changePolicy({ leaseMs: 5_000, onFailure: 'fail' }, { ifVersion: 1 });
    expect(await run()).toEqual(WORKED);
    expect(await mail().get()).toMatchObject({ policyVersion: 2, policy: { leaseMs: 5_000, onFailure: 'fail' } });
  });

  it('waits while the queue is paused, and ends once it is resumed', async () => {
    const { position } = await mail().pause({ reason: 'deploy' });
    const running = run();
    for await (const { type } of service.waybill.events({ queue: 'mail', after: position, follow: true }))
      if (type === 'TaskEnqueued') break;
    expect((await mail().get()).state).toBe('paused');
    await mail().resume();
    expect(await running).toEqual(WORKED);
  });

  it('is told who closed the intake, and runs once it is open', async () => {
    await mail().closeIntake({ reason: 'we move' });
    const refused = await run();
    expect(refused).toEqual({ failed: true, said: expect.stringMatching(/INTAKE_CLOSED[^]*closed it: we move/) });
    await mail().openIntake();
    expect(await run()).toEqual(WORKED);
  });

  it('is told that the queue is finished, and runs once it is reopened', async () => {
    await mail().finish();
    expect(await run()).toEqual({ failed: true, said: expect.stringContaining('QUEUE_FINISHED') });
    await mail().reopen();
    expect(await run()).toEqual(WORKED);
  });

  it('creates a queue again that was deleted', async () => {
    await mail().delete();
    expect(await run()).toEqual(WORKED);
    expect(await mail().get()).toMatchObject({ policyVersion: 3, policy: { onFailure: 'retry' } });
  });
});
