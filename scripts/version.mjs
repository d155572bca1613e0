// Run by `npm version <version>` after it has written the version into the root's package.json. Writes it everywhere
// else.
import { readFile, writeFile } from 'node:fs/promises';

const file = (folder) => new URL(`../${folder}package.json`, import.meta.url);
const read = async (folder) => JSON.parse(await readFile(file(folder), 'utf8'));

const { version, workspaces } = await read('');

for (const folder of ['', ...workspaces.map((workspace) => `${workspace}/`)]) {
  const manifest = await read(folder);
  for (const needed of [manifest.dependencies ?? {}, manifest.peerDependencies ?? {}]) {
    const ours = Object.keys(needed).filter((name) => name === 'waybill' || name.startsWith('@waybill/'));
    for (const name of ours) needed[name] = version;
  }
  await writeFile(file(folder), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
}
