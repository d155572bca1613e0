import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** What a build reads besides its own folder. */
const BESIDE = ['package.json', 'packages', 'presets'];
/** Within the repository, so that the copy finds what is installed. */
const BUILDS = join(__dirname, '../dist/builds');

/** What another build has in a file that is named by its path in `dist`. */
export type Changes = Readonly<Record<string, (text: string) => string>>;

/** Makes a copy of the build with changed and new files. Returns the file that starts its service. */
export async function nextBuild(changes: Changes): Promise<string> {
  await mkdir(BUILDS, { recursive: true });
  const root = await mkdtemp(join(BUILDS, 'next-'));
  for (const name of BESIDE) await symlink(join(ROOT, name), join(root, name));
  const folder = join(root, 'dist');
  await cp(join(ROOT, 'dist'), folder, { recursive: true });
  for (const [path, change] of Object.entries(changes)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, change(await readFile(file, 'utf8').catch(() => '')));
  }
  return join(folder, 'main.js');
}
