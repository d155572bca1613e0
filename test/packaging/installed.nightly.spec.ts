import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minVersion } from 'semver';
import { endServiceProcesses, ServiceProcess } from '../service-process.js';
import { createEmptyDatabase } from '../support/test-database.js';
import { modulesOf, strayFilesOf } from './contents.js';
import { moduleOf, modulesInDocuments } from './documents.js';
import { importedBy } from './imports.js';
import { ENV, pack, ROOT, run, type Tarball } from './tarballs.js';

/** No test waits this long, but on a busy machine, or far from the registry, an installation takes its time. */
const PATIENCE_MS = 900_000;

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

// Its name lets the next run remove it if this one is killed. As root, Postgres runs as another user, which must be
// able to enter it.
const work = join(tmpdir(), `waybill-test-${process.pid}-${randomBytes(6).toString('hex')}`);
const consumer = join(work, 'consumer');
let tarballs: Tarball[];

beforeAll(async () => {
  await mkdir(consumer, { recursive: true });
  tarballs = await pack(join(work, 'checkout'), join(work, 'tarballs'));
  await install();
}, PATIENCE_MS);

afterEach(endServiceProcesses);

afterAll(() => rm(work, { recursive: true, force: true }));

/**
 * Installs into an empty folder what the documents import, and the oldest packages that Waybill shares with an
 * application. Everything else must come with our packages. Runs no install scripts, which npm may leave out.
 */
async function install(): Promise<void> {
  const ours = Object.fromEntries(
    tarballs.map(({ name, filename }) => [name, `file:${join(work, 'tarballs', filename)}`]),
  );
  const oldest = Object.entries(manifest.peerDependencies).map(([name, range]) => [name, minVersion(range)!.version]);
  const application = {
    private: true,
    type: 'module',
    dependencies: {
      ...Object.fromEntries(oldest),
      waybill: ours.waybill,
      '@waybill/client': ours['@waybill/client'],
      '@waybill/otel': ours['@waybill/otel'],
      '@waybill/testing': ours['@waybill/testing'],
      '@waybill/mcp': ours['@waybill/mcp'],
      '@types/node': manifest.devDependencies['@types/node'],
      standardwebhooks: manifest.devDependencies.standardwebhooks,
      'json-schema-to-ts': manifest.devDependencies['json-schema-to-ts'],
    },
    overrides: ours,
  };
  await writeFile(join(consumer, 'package.json'), JSON.stringify(application));
  for (const [file, text] of modulesInDocuments()) await writeFile(join(consumer, file), text);
  await run(consumer, ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']);
}

/** The first programs of these documents, which run. */
const [TWELVE_LINES, APPLICATION] = ['README.md', 'docs/how-to/run-in-a-nestjs-application.md'].map((document) =>
  join(consumer, 'built', `${moduleOf(document)}.js`),
) as [string, string];

const COMPILER_OPTIONS = {
  target: 'es2023',
  types: ['node'],
  strict: true,
  skipLibCheck: false,
  moduleDetection: 'force',
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  outDir: 'built',
};

async function compile(name: string, options: object): Promise<void> {
  const config = { compilerOptions: { ...COMPILER_OPTIONS, ...options }, include: ['*.ts'] };
  await writeFile(join(consumer, `tsconfig.${name}.json`), JSON.stringify(config));
  await run(consumer, [join(ROOT, 'node_modules/.bin/tsc'), '--project', `tsconfig.${name}.json`]);
}

/** What the test of the CommonJS project uses of Jest. */
const JEST_GLOBALS = `declare function test(name: string, work: () => void): void;
  declare function expect(value: unknown): { toEqual(other: unknown): void };`;

let building: Promise<void> | undefined;

/** Compiles the examples of the documents to programs in `built`. */
const build = (): Promise<void> => (building ??= compile('nodenext', { module: 'nodenext' }));

const up = (...how: [string, ...string[]]): ServiceProcess =>
  new ServiceProcess({ ...ENV, WAYBILL_DATA_DIR: work }, [...how, 'up'], { cwd: consumer, detached: true });

const isPostgresUp = (): boolean => existsSync(join(work, 'postgres/data/postmaster.pid'));

it('contains the program, a licence and a README, and nothing else; the command line as one file', () => {
  const cli = tarballs.find(({ name }) => name === '@waybill/cli')!;
  expect(cli.files.map(({ path }) => path)).toContain('dist/bundle.js');
  for (const tarball of tarballs) {
    const built = ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts'];
    expect(tarball.files.map(({ path }) => path)).toEqual(expect.arrayContaining(built));
    expect(strayFilesOf(tarball)).toEqual([]);
  }
});

describe('the installed packages', () => {
  it('import only their declared dependencies', async () => {
    for (const tarball of tarballs) {
      const folder = join(consumer, 'node_modules', tarball.name);
      const asked = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
      const imported = await importedBy(modulesOf(tarball).map((path) => join(folder, path)));
      expect(Object.keys({ ...asked.dependencies, ...asked.peerDependencies })).toEqual(
        expect.arrayContaining(imported),
      );
    }
  });

  it('compile all TypeScript of README and guides under nodenext and bundler, including their own declarations', async () => {
    await Promise.all([build(), compile('bundler', { module: 'esnext', moduleResolution: 'bundler', noEmit: true })]);
  });

  it('compile in a CommonJS project, and run in Node and in Jest', async () => {
    const folder = join(consumer, 'commonjs');
    await mkdir(folder, { recursive: true });
    const program = `import { createWaybill, WaybillError } from '@waybill/client';
      import type { EventType } from '@waybill/contracts';
      test('is there', () => {
        const type: EventType = 'TaskEnqueued';
        expect([createWaybill({ url: 'http://localhost:1' }).queue(type).name, typeof WaybillError]).toEqual([type, 'function']);
      });`;
    const given = { 'package.json': '{ "type": "commonjs" }', 'a.test.ts': program, 'jest.d.ts': JEST_GLOBALS };
    for (const [name, text] of Object.entries(given)) await writeFile(join(folder, name), text);
    for (const options of [{ module: 'nodenext' }, { module: 'commonjs', moduleResolution: 'bundler' }]) {
      const compilerOptions = { ...COMPILER_OPTIONS, types: [], outDir: 'built', ...options };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
      await run(folder, [join(ROOT, 'node_modules/.bin/tsc')]);
      const config = JSON.stringify({ rootDir: join(folder, 'built'), testEnvironment: 'node', transform: {} });
      await run(folder, [join(ROOT, 'node_modules/.bin/jest'), '--config', config]);
    }
    const inNode = `require('node:assert').equal(require('@waybill/client'), require('@waybill/client'));
      import('@waybill/client').then((module) => require('node:assert').equal(module.WaybillError, require('@waybill/client').WaybillError));`;
    await run(folder, ['node', '-e', inNode]);
  });

  it('serve from any folder after `npx waybill up`, and run the program of the README', async () => {
    const service = up('npx', 'waybill');
    const url = await service.url();
    for (const page of ['dashboard/', 'docs']) {
      const address = await service.told(new RegExp(`${url}/${page}`));
      expect(await (await fetch(address)).text()).toContain('<title>Waybill');
    }
    const { info } = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { version: string } };
    expect(info.version).toBe(manifest.version);
    expect(await twelveLines(url)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded']);
    service.kill('SIGINT');
    await service.ended;
    expect(isPostgresUp()).toBe(false);
  });

  /** The types of the events that the program prints. */
  async function twelveLines(url: string): Promise<string[]> {
    await build();
    const program = await readFile(TWELVE_LINES, 'utf8');
    await writeFile(TWELVE_LINES, program.replace('http://localhost:3000', url));
    const printed = await run(consumer, ['node', TWELVE_LINES]);
    return Array.from(printed.matchAll(/Z (\w+)$/gm), ([, type]) => type!);
  }

  it('end with code 0 on SIGTERM, and stop their Postgres', async () => {
    const service = up('node_modules/.bin/waybill');
    await service.url();
    expect(isPostgresUp()).toBe(true);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(isPostgresUp()).toBe(false);
  });

  it('work in a NestJS application', async () => {
    await build();
    const database = await createEmptyDatabase();
    const printed = await run(consumer, ['node', APPLICATION], { DATABASE_URL: database.url });
    expect(printed).toMatch(/^sent to ada@example.org$/m);
    await database.drop();
  });

  it('let tests have a Waybill', async () => {
    await build();
    const tests = join(consumer, 'built', `${moduleOf('packages/testing/README.md')}.js`);
    expect(await run(consumer, ['node', '--test-reporter=tap', tests])).toContain('# pass 1\n# fail 0\n');
  });

  it('make a folder whose worker does what its other program sends', async () => {
    const folder = join(work, 'starter');
    await run(consumer, ['node_modules/.bin/waybill', 'init', folder, '--packages', join(work, 'tarballs')]);
    await run(folder, ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund']);
    const service = up('node_modules/.bin/waybill');
    const env = { ...ENV, WAYBILL_URL: await service.url() };
    const worker = spawn('node', ['worker.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(worker.stdout, 'data');
    const sent = await run(folder, ['npm', 'run', '--silent', 'send'], env);
    worker.kill('SIGTERM');
    expect(Array.from(sent.matchAll(/Z (\w+)$/gm), ([, type]) => type)).toEqual([
      'TaskEnqueued',
      'TaskClaimed',
      'TaskSucceeded',
    ]);
  });

  it('have a command line that prints its version, with the service and alone', async () => {
    for (const program of ['waybill', 'waybill-cli'])
      expect(await run(consumer, [join('node_modules/.bin', program), '--version'])).toBe(`${manifest.version}\n`);
    await expect(run(consumer, ['node_modules/.bin/waybill-cli', 'up'])).rejects.toThrow(
      "'npx waybill up' includes the service",
    );
  });
});
