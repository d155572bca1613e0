import type { Handler } from '@waybill/client';
import { basename } from 'node:path';
import type { Catalogue } from './catalogue.js';
import { gate } from './gate.js';
import { inspect, type Facts } from './inspect-file.js';
import { pathOf } from './queue.js';
import { withFile, type OpenFile, type Version } from './read-file.js';
import { refusalOf } from './refusal.js';

/** Files that are open at the same time: what is held of each may be a whole JSON document. */
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
      const known = await catalogue.find(path);
      const found = await reading(() => withFile(path, (file) => newIn(file, path, known)));
      if (found === null) return run.noChange();
      await catalogue.record({ path, ...found, fencingToken: run.fencingToken });
      return found.sha256 === known?.sha256 ? run.noChange() : run.succeed(resultOf(found));
    } catch (error) {
      const refusal = refusalOf(error, path);
      if (refusal === null) throw error;
      return run.fail(refusal.class, refusal.message);
    }
  };
}

/** Null where the file's version is the known one: its bytes are then left alone. */
async function newIn(file: OpenFile, path: string, known: Version | null): Promise<(Version & Facts) | null> {
  const { size, modified } = file;
  if (known?.size === size && known.modified === modified) return null;
  return { size, modified, ...(await inspect(basename(path), file.chunks())) };
}

/** What the task's history tells: the facts there are. */
const resultOf = (found: Version & Facts): object =>
  Object.fromEntries(Object.entries(found).filter(([name, value]) => name !== 'modified' && value !== null));
