import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modulesInDocuments } from './documents.js';
import { importedBy } from './imports.js';
import { ROOT, run } from './tarballs.js';

/** The published ones, with what `scripts/transpile.mjs` compiles. `installed.nightly.spec` packs and installs them, and runs what is installed. */
const FOLDERS = ['.', ...['contracts', 'client', 'otel', 'mcp', 'cli', 'testing'].map((name) => `packages/${name}`)];

it.each(FOLDERS)('the package in %s imports only its declared dependencies', async (name) => {
  const folder = join(ROOT, name);
  const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const compiled = await readdir(join(folder, 'dist'), { recursive: true });
  const modules = compiled.filter((path) => path.endsWith('.js')).map((path) => join(folder, 'dist', path));
  const imported = await importedBy(modules);
  expect(modules.length).toBeGreaterThan(0);
  expect(Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })).toEqual(
    expect.arrayContaining(imported),
  );
});

it('the TypeScript of README and guides compiles', async () => {
  // Below the root, where the installed packages are found.
  const folder = join(ROOT, '.cache', `documents-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { recursive: true });
  try {
    for (const [file, text] of modulesInDocuments()) await writeFile(join(folder, file), text);
    const sources = { '@waybill/client': ['packages/client/src/index.ts'], waybill: ['src/index.ts'] };
    const { paths } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8')).compilerOptions;
    const compilerOptions = {
      noEmit: true,
      incremental: false,
      noUncheckedIndexedAccess: false,
      moduleDetection: 'force',
      rootDir: ROOT,
      paths: absolute({ ...paths, ...sources }),
    };
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await run(folder, [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '--project', '.']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

const absolute = (paths: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(paths).map(([name, places]) => [name, places.map((place) => join(ROOT, place))]));
