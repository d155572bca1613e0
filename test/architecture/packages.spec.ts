import { readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { subset, valid } from 'semver';

const ROOT = resolve(__dirname, '../..');

type Versions = Readonly<Record<string, string>>;

/** The manifest of a package, or an entry in `package-lock.json`. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: true;
  readonly workspaces?: readonly string[];
  readonly license?: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly link?: true;
  readonly resolved?: string;
}

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifestIn = (folder: string): Manifest => JSON.parse(textOf(join(folder, 'package.json'))) as Manifest;

const waybill = manifestIn('');
const all = ['', ...waybill.workspaces!];
const published = all
  .filter((folder) => !manifestIn(folder).private)
  .map((folder) => [manifestIn(folder).name, folder]);
const { packages: locked } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Manifest> };

/** Everything that is installed with the package in a folder, by its places in the lock file. */
function installedWith(place: string, found = new Set<string>()): ReadonlySet<string> {
  for (const name of needsOf(locked[place]!)) {
    const next = placeOf(name, place);
    if (next === null || found.has(next)) continue;
    found.add(next);
    installedWith(next, found);
  }
  return found;
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Manifest): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/**
 * Searches like Node: here, and in every folder above. Null if the package is optional and not meant for this machine.
 */
function placeOf(name: string, from: string): string | null {
  const place = posix.join(from, 'node_modules', name);
  const entry = locked[place];
  if (entry) return entry.link ? entry.resolved! : place;
  return from === '' ? null : placeOf(name, posix.dirname(from) === '.' ? '' : posix.dirname(from));
}

it('consists of the service with its module, the client, its telemetry, the server for assistants, the command line, the Waybill for tests and the types of the API', () => {
  expect(published.map(([name]) => name)).toEqual([
    'waybill',
    '@waybill/contracts',
    '@waybill/client',
    '@waybill/otel',
    '@waybill/mcp',
    '@waybill/cli',
    '@waybill/testing',
  ]);
});

it("has one version, also in the API's document", () => {
  const { info } = JSON.parse(textOf('openapi.json')) as { info: { version: string } };
  const manifests = all.map(manifestIn);
  const asked = manifests.flatMap(({ dependencies }) => Object.entries(dependencies ?? {}));
  const ours = asked.filter(([name]) => manifests.some((manifest) => manifest.name === name));
  const versions = [info.version, ...manifests.map(({ version }) => version), ...ours.map(([, version]) => version)];
  expect(versions.filter((version) => version !== waybill.version)).toEqual([]);
  expect(ours.length).toBeGreaterThan(3);
});

describe.each(published)('%s', (_name, folder) => {
  const manifest = manifestIn(folder!);

  it('pins exact versions', () => {
    const asked = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(asked.filter(([, version]) => valid(version) !== version)).toEqual([]);
  });

  it('has a licence and a README', () => {
    expect([manifest.license, textOf(join(folder!, 'LICENSE'))]).toEqual(['MIT', textOf('LICENSE')]);
    expect(textOf(join(folder!, 'README.md'))).toContain(
      `# ${manifest.name === 'waybill' ? 'Waybill' : manifest.name}`,
    );
  });

  it('runs only on versions of Node on which its dependencies run', () => {
    const tooNew = [...installedWith(folder!)].filter(
      (place) => !subset(manifest.engines!.node!, locked[place]!.engines?.node ?? '*'),
    );
    expect(tooNew).toEqual(manifest.name === 'waybill' ? RUN_ON_20.map((name) => `node_modules/${name}`) : []);
  });
});

/** These declare that they need Node 22, and Nest, which needs them, declares 20. All tests pass on 20 with them. */
const RUN_ON_20 = ['content-disposition', 'file-type', 'cookie'];
