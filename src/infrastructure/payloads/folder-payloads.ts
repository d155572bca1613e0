import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type PayloadPlace,
  PayloadStore,
  PayloadStoreUnavailable,
} from '../../application/kernel/payload-store.port.js';
import { OWNER, pathOf, placeAt } from './payload-path.js';

/** Payloads as files, in a folder for each day and in it one for each task. Every process of the service must see the same folder, which must exist. */
export class FolderPayloads extends PayloadStore {
  constructor(private readonly path: string) {
    super();
  }

  /** Written beside and then named, so nobody reads a part of it. Flushed, like the event that will name it. */
  put(place: PayloadPlace, text: string): Promise<void> {
    return this.reached(async () => {
      await this.assertMarked();
      const file = this.fileOf(place);
      const draft = `${file}.${randomUUID()}`;
      const folders = [dirname(file), dirname(dirname(file))];
      // One by one, because the folder of the store itself is not made: it may be on a disk that is not there.
      for (const one of folders.toReversed()) await mkdir(one, { mode: 0o700 }).catch(unless('EEXIST'));
      await flushed(draft, text);
      await rename(draft, file);
      for (const one of [...folders, this.path]) await flushedFolder(one);
    });
  }

  get(place: PayloadPlace, atMost: number): Promise<Buffer | null> {
    return this.reached(async () => {
      const handle = await open(this.fileOf(place), 'r').catch(unless('ENOENT'));
      // Without this look, each payload on a disk that is not there would be one that is gone for good.
      if (handle === null) await this.assertMarked();
      return handle && (await beginningOf(handle, atMost + 1));
    });
  }

  delete(place: PayloadPlace): Promise<void> {
    return this.reached(async () => {
      await this.assertMarked();
      const folder = dirname(this.fileOf(place));
      const names = (await namesIn(folder)).filter((name) => name.startsWith(place.sha256));
      for (const name of names) await rm(join(folder, name), { force: true });
      if (names.length > 0) await flushedFolder(folder).catch(unless('ENOENT'));
      for (const one of [folder, dirname(folder)]) await rmdir(one).catch(unless('ENOTEMPTY', 'EEXIST', 'ENOENT'));
    });
  }

  list(after: PayloadPlace | null, before: string, limit: number): Promise<readonly PayloadPlace[]> {
    return this.reached(async () => {
      const found: PayloadPlace[] = [];
      if (limit > 0) for await (const place of this.places(after, before)) if (found.push(place) === limit) break;
      return found;
    });
  }

  owner(): Promise<string | null> {
    return this.reached(async () => {
      const said = await readFile(this.markFile, 'utf8').catch(unless('ENOENT'));
      if (said === null) await access(this.path);
      return said;
    });
  }

  mark(log: string): Promise<void> {
    return this.reached(async () => {
      await writeFile(this.markFile, log, { flag: 'wx', mode: 0o600, flush: true }).catch(unless('EEXIST'));
      await flushedFolder(this.path);
    });
  }

  async fault(): Promise<string | null> {
    try {
      await access(this.path, constants.R_OK | constants.W_OK | constants.X_OK);
      return null;
    } catch (error) {
      return this.told(error);
    }
  }

  private async *places(after: PayloadPlace | null, before: string): AsyncGenerator<PayloadPlace> {
    const reached = after === null ? '' : pathOf(after);
    const days = (await namesIn(this.path)).filter((day) => day < before && (after === null || day >= after.day));
    for (const day of days)
      for (const task of await namesIn(join(this.path, day)))
        yield* (await this.placesOf(day, task)).filter((place) => pathOf(place) > reached);
  }

  /** A draft that was left is at the place of its file. */
  private async placesOf(day: string, task: string): Promise<PayloadPlace[]> {
    const digests = (await namesIn(join(this.path, day, task))).map((name) => name.split('.', 1)[0]);
    return [...new Set(digests)].flatMap((sha256) => placeAt(`${day}/${task}/${sha256}`) ?? []);
  }

  private get markFile(): string {
    return join(this.path, OWNER);
  }

  /** Before each use, because a disk can go away at any time, and leaves an empty folder. */
  private async assertMarked(): Promise<void> {
    await access(this.markFile);
  }

  private fileOf(place: PayloadPlace): string {
    return join(this.path, pathOf(place));
  }

  private async reached<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new PayloadStoreUnavailable(this.told(error), { cause: error });
    }
  }

  private told(error: unknown): string {
    return `'${this.path}': ${(error as Error).message}`;
  }
}

async function flushed(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function flushedFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function beginningOf(handle: FileHandle, bytes: number): Promise<Buffer> {
  try {
    const parts: Buffer[] = [];
    for await (const part of handle.createReadStream({ end: bytes - 1, autoClose: false })) parts.push(part as Buffer);
    return Buffer.concat(parts);
  } finally {
    await handle.close();
  }
}

/** Sorted; none if the folder is not there or is a file. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return ((await readdir(folder).catch(unless('ENOENT', 'ENOTDIR'))) ?? []).sort();
}

const unless =
  (...codes: readonly string[]) =>
  (error: unknown): null => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return null;
  };
