import type { RunState } from '@waybill/client';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from '../archive-ingest/inspect-file.js';
import { Malformed } from '../archive-ingest/malformed.js';
import { withFile } from '../archive-ingest/read-file.js';
import { readAssets, writeWhole } from './asset-tree.js';
import { treeIn } from './link-tree.js';

/** The most media types that a result names. */
const MOST_TYPES = 5;

/** Reads the metadata of what the tree links to into `metadata.json`. A malformed file is noted there. */
export async function scanMetadata(_id: string, run: RunState, work: string) {
  const assets = await readAssets(work);
  const found: object[] = [];
  const types = new Map<string, number>();
  let malformed = 0;
  for (const { path } of assets) {
    run.check();
    const facts = await factsOf(run, join(treeIn(work, 'metadata'), path));
    const type = 'mediaType' in facts ? facts.mediaType : 'malformed';
    if (type === 'malformed') malformed++;
    else types.set(type, (types.get(type) ?? 0) + 1);
    found.push({ path, ...facts });
    run.progress('files', { end: assets.length, position: found.length });
  }
  await writeWhole(join(work, 'metadata.json'), JSON.stringify(found, null, 1));
  const common = [...types].sort(([, one], [, other]) => other - one).slice(0, MOST_TYPES);
  return { scanned: found.length, malformed, types: Object.fromEntries(common) };
}

async function factsOf(run: RunState, link: string) {
  const path = await realpath(link);
  try {
    return await withFile(path, (file) => inspect(path, stoppable(run, file.chunks())));
  } catch (error) {
    if (error instanceof Malformed) return { trouble: `Expected it ${error.message}` };
    throw error;
  }
}

async function* stoppable(run: RunState, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    run.check();
    yield chunk;
  }
}
