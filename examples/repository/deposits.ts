import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoError } from '../demo/options.js';
import type { FileServer } from './local-servers.js';
import type { Deposit } from './submissions.js';

const MOST_FILES = 6;
const MOST_BYTES = 10e6;
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** Submissions of all five kinds, of the first files of the folder. Their ids follow from the folder and its content. */
export async function depositsOf(folder: string, server: FileServer): Promise<readonly Deposit[]> {
  const files = await filesIn(folder);
  const of = (n: number) => files[n % files.length]!;
  const line = (n: number, prefix: string, digest = sha256(of(n).content)): string => {
    const path = `/${prefix}/${encodeURIComponent(of(n).name)}`;
    server.files.set(path, of(n).content);
    const name = of(n).name.replaceAll('|', '_');
    return `${server.url}${path} | sha256 | ${digest} | | | ${name} | | ${prefix} | | ${name}`;
  };
  const missing = `${server.url}/missing/gone.txt | | | | | gone.txt | | missing | | A file that is not there`;
  server.headless.add(new URL(line(1, 'no-head').split(' ')[0]!).pathname);
  const inner = manifest('mrt-ingest-manifest', line(2, 'inner'));
  server.files.set('/inner/object.checkm', inner);
  const object = `${server.url}/inner/object.checkm | sha256 | ${sha256(inner)} | | | object.checkm | | inner | | An object`;
  const payloads: readonly (readonly [string, string | Buffer])[] = [
    [of(0).name, of(0).content],
    ['object.checkm', manifest('mrt-ingest-manifest', line(0, 'object'))],
    ['objects.checkm', manifest('mrt-batch-manifest', object)],
    ['zips.checkm', manifest('mrt-container-batch-manifest', line(1, 'no-head'), missing)],
    ['files.checkm', manifest('mrt-single-file-batch-manifest', line(3, 'right'), line(4, 'wrong', sha256('another')))],
  ];
  return payloads.map(([fileName, payload], number) => {
    const path = `/payload-${number}/${encodeURIComponent(fileName)}`;
    server.files.set(path, payload);
    const id = uuidOf(`${folder} ${number} ${sha256(payload)}`);
    const url = `${server.url}${path}`;
    return { id, profile: 'example', submitter: 'ann', fileName, payload: Buffer.from(payload), url };
  });
}

async function filesIn(folder: string) {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const names = entries.map(({ name }) => name).sort();
  const files: { name: string; content: Buffer }[] = [];
  for (const name of names) {
    const content = await readFile(join(folder, name));
    if (content.byteLength <= MOST_BYTES && !content.subarray(0, 2).equals(Buffer.from('#%')))
      files.push({ name, content });
    if (files.length === MOST_FILES) return files;
  }
  if (files.length > 0) return files;
  throw new DemoError(`Expected files of at most 10 MB in '${folder}', but it has none.`);
}

const manifest = (profile: string, ...lines: readonly string[]): string =>
  ['#%checkm_0.7', `#%profile | http://uc3.cdlib.org/registry/ingest/manifest/${profile}`, ...lines, '#%eof', ''].join(
    '\n',
  );

/** A UUID of version 8 that follows from the text. */
function uuidOf(text: string): string {
  const hex = sha256(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
