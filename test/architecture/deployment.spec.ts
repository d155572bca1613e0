import { loadAll } from 'js-yaml';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Config, VARIABLES } from '../../src/bootstrap/config.js';
import { ROOT, run } from '../packaging/tarballs.js';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}
const MANIFESTS = loadAll(textOf('examples/deployment/kubernetes.yaml')) as Manifest[];

/** What a process needs to stop in order: its grace, and ten seconds. */
const STOP_SECONDS = new Config().shutdownGraceMs / 1_000 + 10;

/** The names of the variables that the service reads, also of files. */
const NAMES = Object.values(VARIABLES).flatMap(({ name }) => [name, `${name}_FILE`]);

/** `kubernetes-types` has a module of each group and version of the API. */
const moduleOf = ({ apiVersion }: Manifest): string =>
  `kubernetes-types/${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}.js`;

it('the manifests have the fields of the API of Kubernetes, and no others', async () => {
  const folder = join(ROOT, '.cache', `manifests-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { recursive: true });
  try {
    const lines = MANIFESTS.map(
      (manifest) =>
        `export const ${manifest.kind}: import('${moduleOf(manifest)}').${manifest.kind} = ${JSON.stringify(manifest)};`,
    );
    await writeFile(join(folder, 'manifests.ts'), lines.join('\n'));
    await run(folder, [
      join(ROOT, 'node_modules/typescript-7/bin/tsc'),
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      'manifests.ts',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

interface Probe {
  readonly httpGet: { readonly path: string };
}
const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;

interface Container extends Readonly<Record<(typeof PROBES)[number], Probe>> {
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

interface Deployment extends Manifest {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly terminationGracePeriodSeconds: number; readonly containers: readonly [Container] };
    };
  };
}

it('the deployment sets variables that there are, probes paths that there are, and waits until a process has stopped', () => {
  const { spec } = (MANIFESTS.find(({ kind }) => kind === 'Deployment') as Deployment).spec.template;
  const [container] = spec.containers;
  expect(container.env.map(({ name }) => name).filter((name) => !NAMES.includes(name))).toEqual([]);
  const { paths } = JSON.parse(textOf('openapi.json')) as { readonly paths: object };
  expect(PROBES.map((probe) => container[probe].httpGet.path).filter((path) => !(path in paths))).toEqual([]);
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(STOP_SECONDS);
});

it('the unit of systemd does, too, and starts a file that the package has', () => {
  const settings = textOf('examples/deployment/waybill.service')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  const all = (name: string): readonly string[] => settings.flatMap(([key, value]) => (key === name ? [value] : []));
  const variables = all('Environment').flatMap((values) => values.split(' ').map((one) => one.split('=')[0]!));
  expect(variables.filter((name) => name !== 'NODE_ENV' && !NAMES.includes(name))).toEqual([]);
  expect(Number(all('TimeoutStopSec')[0])).toBeGreaterThan(STOP_SECONDS);
  expect(Number(all('LimitNOFILE')[0])).toBeGreaterThanOrEqual(new Config().connections + 500);
  const [, file] = /node_modules\/waybill\/dist\/(.*)\.js$/.exec(all('ExecStart')[0]!)!;
  expect(existsSync(join(ROOT, `src/${file}.ts`))).toBe(true);
});
