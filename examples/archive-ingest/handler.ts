import type { Handler } from '@waybill/client';
import { basename } from 'node:path';
import type { Catalogue } from './catalogue.js';
import { gate } from './gate.js';
import { inspect, type Facts } from './inspect-file.js';
import { pathOf } from './queue.js';
import { withFile, type OpenFile, type Version } from './read-file.js';
import { refusalOf } from './refusal.js';

/** The most files open at the same time, because a whole JSON document of each may be in memory. */
const reading = gate(8);

/** The parts of the catalogue that a handler needs. */
export type CatalogueOfFiles = Pick<Catalogue, 'find' | 'record'>;

/**
 * Brings the catalogue up to date with one file. Does not read a file again whose current version the catalogue has.
 * Refuses a file, with the reason, if it cannot be read or its content does not match its name.
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

/** Null if the file's version is the known one, so that its content need not be read. */
async function newIn(file: OpenFile, path: string, known: Version | null): Promise<(Version & Facts) | null> {
  const { size, modified } = file;
  if (known?.size === size && known.modified === modified) return null;
  return { size, modified, ...(await inspect(basename(path), file.chunks())) };
}

/** The facts for the task's history. */
const resultOf = (found: Version & Facts): object =>
  Object.fromEntries(Object.entries(found).filter(([name, value]) => name !== 'modified' && value !== null));
