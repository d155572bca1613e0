import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export const DEDICATED_FOLDER = 'dedicated';

/** Where a job works. What is small and must outlive it is data of its task instead. */
export class JobFolder {
  constructor(readonly path: string) {}

  get files(): string {
    return join(this.path, 'files');
  }

  make(): Promise<unknown> {
    return mkdir(this.files, { recursive: true });
  }

  /** As if it was a file system, which is there until the job's folder is removed. */
  makeDedicated(): Promise<unknown> {
    return mkdir(join(this.path, DEDICATED_FOLDER), { recursive: true });
  }

  remove(): Promise<void> {
    return removeFolder(this.path);
  }
}

/**
 * Also a folder into which a worker still writes, because it has not heard yet that its job was deleted: tries again for
 * up to 1.5 s.
 */
export const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 5 });
