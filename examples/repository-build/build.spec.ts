import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Waybill, Worker } from '@waybill/client';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningService, startService } from '../../test/support/running-service.js';
import { build, type Built, type Scenario, type Stage } from './build.js';
import { copyOf } from './copy.js';
import type { BuildNode } from './nodes.js';
import { buildFunctions } from './plan.js';
import { isBuilt, summary } from './summary.js';

const PLAIN = Object.fromEntries(
  ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'].map((name) => [name, (text: string) => text]),
) as unknown as Parameters<typeof summary>[3];

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'waybill-parts-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A part that writes its name to the log when it is done. */
const part = (name: string, after: readonly string[] = [], before = ''): BuildNode => ({
  name,
  after,
  command: ['--eval', `${before}; fs.appendFileSync('log', '${name}\\n')`],
});

const FIRST_TIME_ENDLESS = "if (!fs.existsSync('begun')) { fs.writeFileSync('begun', ''); for (;;); }";

const NODES: readonly BuildNode[] = [
  part('check'),
  part('types', ['check'], "fs.readFileSync('types.ts')"),
  part('client', ['types'], FIRST_TIME_ENDLESS),
  part('coverage', ['types']),
  part('report', ['coverage']),
  part('bundle', ['client']),
];

class TestStage implements Stage {
  private workers: Worker[] = [];

  constructor(private readonly service: RunningService) {}

  get waybill(): Waybill {
    return this.service.waybill;
  }

  async startWorkers(): Promise<void> {
    this.workers = [1, 2].map((number) => {
      const worker = this.waybill.worker({ name: `builder-${number}`, concurrency: 1, logger: null });
      return worker.handle(buildFunctions(this.waybill).functions);
    });
    await Promise.all(this.workers.map((worker) => worker.start()));
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop()));
  }

  restartService(): Promise<void> {
    return this.service.restart();
  }
}

describe('example:build', () => {
  let service: RunningService;
  let stage: TestStage;
  beforeEach(async () => {
    service = await startService();
    stage = new TestStage(service);
  });
  afterEach(async () => {
    await stage.stopWorkers();
    await service.stop();
  });

  const scenario = (): Scenario => ({
    nodes: NODES,
    folder,
    broken: 'types',
    repair: () => writeFile(join(folder, 'types.ts'), ''),
    unwanted: 'coverage',
    deployAt: 'client',
  });

  const states = ({ tasks }: Built) =>
    Object.fromEntries([...tasks].map(([name, { state, attempt }]) => [name, `${state} ${attempt}`]));

  it('goes on after a repair and a deployment, does nothing twice, and leaves out what was aborted', async () => {
    const notes: string[] = [];
    const built = await build(stage, scenario(), {
      signal: new AbortController().signal,
      onNote: (text) => notes.push(text),
    });
    expect(states(built)).toEqual({
      check: 'succeeded 1',
      types: 'succeeded 2',
      client: 'succeeded 2',
      coverage: 'aborted 0',
      report: 'aborted 0',
      bundle: 'succeeded 1',
    });
    expect(built.stopped).toEqual(['client']);
    expect((await readFile(join(folder, 'log'), 'utf8')).split('\n')).toEqual([
      'check',
      'types',
      'client',
      'bundle',
      '',
    ]);
    expect(notes.join('\n')).toContain("'types' failed: ");
    expect(isBuilt(built)).toBe(true);
    expect(summary(built, scenario(), 12, PLAIN)).toMatch(
      /Built {2}4 parts of 6 in 12 s\n.*types, done in attempt 2\n.*client, done in attempt 2\n.*coverage, report\n/,
    );
  });

  it('tells the end of what a failed command printed, and that the build is not done', async () => {
    const broken = { ...scenario(), repair: () => mkdir(join(folder, 'types.ts')) };
    const built = await build(
      stage,
      { ...broken, deployAt: 'check' },
      {
        signal: new AbortController().signal,
        onNote: () => undefined,
      },
    );
    expect(isBuilt(built)).toBe(false);
    expect(built.tasks.get('types')!.error!.message).toContain('EISDIR');
    expect(summary(built, scenario(), 12, PLAIN)).toContain('Not built');
  });
});

it('a build works on a copy, with the packages of the copy', async () => {
  const checkout = join(folder, 'checkout');
  const write = async (path: string): Promise<void> => {
    await mkdir(join(checkout, path, '..'), { recursive: true });
    await writeFile(join(checkout, path), '');
  };
  for (const path of [
    'src/main.ts',
    'dist/main.js',
    '.git/HEAD',
    'packages/cli/a.ts',
    'node_modules/nest/a.js',
    'node_modules/@waybill/old',
  ])
    await write(path);
  const copy = await copyOf(checkout);
  try {
    expect((await readdir(copy)).sort()).toEqual(['node_modules', 'packages', 'src']);
    expect(await realpath(join(copy, 'node_modules/nest'))).toBe(join(checkout, 'node_modules/nest'));
    expect(await readdir(join(copy, 'node_modules/@waybill'))).toEqual(['cli']);
    expect(await realpath(join(copy, 'node_modules/@waybill/cli'))).toBe(await realpath(join(copy, 'packages/cli')));
  } finally {
    await rm(copy, { recursive: true });
  }
});
