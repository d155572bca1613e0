import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a job works. What is small and must outlive it is data of its task instead. */
export class JobFolder {
  constructor(readonly path: string) {}

  get files(): string {
    return join(this.path, 'files');
  }

  make(): Promise<unknown> {
    return mkdir(this.files, { recursive: true });
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
