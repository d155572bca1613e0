import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modulesOf, strayFilesOf } from './contents.js';
import { modulesInDocuments } from './documents.js';
import { importedBy } from './imports.js';
import { packable, ROOT, run, type Tarball } from './tarballs.js';

/** `installed.nightly.spec` installs them in an empty folder, and runs what is installed. */
describe('the packages', () => {
  let tarballs: readonly Tarball[];
  beforeAll(async () => {
    tarballs = await packable();
  });

  it('contain the program, a licence and a README, and nothing else', () => {
    for (const tarball of tarballs) {
      const built = ['LICENSE', 'README.md', 'package.json', 'dist/index.js'];
      expect(tarball.files.map(({ path }) => path)).toEqual(expect.arrayContaining(built));
      expect(strayFilesOf(tarball)).toEqual([]);
    }
  });

  it('import only their declared dependencies', async () => {
    for (const tarball of tarballs) {
      const folder = join(ROOT, folderOf(tarball));
      const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(
        await readFile(join(folder, 'package.json'), 'utf8'),
      );
      const imported = await importedBy(modulesOf(tarball).map((path) => join(folder, path)));
      expect(Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })).toEqual(
        expect.arrayContaining(imported),
      );
    }
  });
});

const folderOf = ({ name }: Tarball): string => name.replace(/^@waybill\//, 'packages/').replace(/^waybill$/, '.');

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
