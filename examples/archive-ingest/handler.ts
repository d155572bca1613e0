import type { Handler } from '@waybill/client';
import { basename } from 'node:path';
import type { Catalogue } from './catalogue.js';
import { gate } from './gate.js';
import { inspect, type Facts } from './inspect-file.js';
import { pathOf } from './queue.js';
import { withFile, type OpenFile } from './read-file.js';
import { refusalOf } from './refusal.js';

/** Files read at the same time: what is held of each may be a whole JSON document. */
const reading = gate(8);

/** What a handler needs of the catalogue. */
export type CatalogueOfFiles = Pick<Catalogue, 'find' | 'record'>;

/**
 * Brings the catalogue up to date with one file. A file that the catalogue knows in its present version is not read
 * again, and one that cannot be read, or is not what its name says, is refused with the reason.
 */
export function ingestInto(catalogue: CatalogueOfFiles): Handler {
  return async (task, run) => {
    const path = pathOf(task);
    try {
      const facts = await withFile(path, (file) => ingest(catalogue, path, file, run.fence));
      return facts === null ? run.noChange() : run.succeed(resultOf(facts));
    } catch (error) {
      const refusal = refusalOf(error, path);
      if (refusal === null) throw error;
      return run.fail(refusal.class, refusal.message);
    }
  };
}

/** Null where the file's content is already known. */
async function ingest(catalogue: CatalogueOfFiles, path: string, file: OpenFile, fence: string): Promise<Facts | null> {
  const known = await catalogue.find(path);
  const { size, modified } = file;
  if (known?.size === size && known.modified === modified) return null;
  const facts = await reading(() => inspect(basename(path), file.chunks()));
  await catalogue.record({ path, size, modified, ...facts, fence });
  return known?.sha256 === facts.sha256 ? null : facts;
}

/** What the task's history tells: the facts there are. */
const resultOf = (facts: Facts): object =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
