import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the steps of a job tell one another, beside its files. */
export interface Notes {
  readonly spaceNeeded: number;
  /** Whether a server refused to tell the size of a file, so that the space may not suffice. */
  readonly inaccurate: boolean;
  readonly ark: string | null;
  /** What the storage endpoint answered; null before the object is stored. */
  readonly stored: number | null;
}

const NONE: Notes = { spaceNeeded: 0, inaccurate: false, ark: null, stored: null };

/** The folder of a job, and what was noted there. A note replaces the file as a whole, so a crash leaves the earlier one. */
export class JobFolder {
  constructor(readonly path: string) {}

  get files(): string {
    return join(this.path, 'files');
  }

  make(): Promise<unknown> {
    return mkdir(this.files, { recursive: true });
  }

  async notes(): Promise<Notes> {
    const text = await readFile(join(this.path, 'notes.json'), 'utf8').catch(() => null);
    return text === null ? NONE : (JSON.parse(text) as Notes);
  }

  async note(notes: Partial<Notes>): Promise<void> {
    const path = join(this.path, 'notes.json');
    await writeFile(`${path}.new`, JSON.stringify({ ...(await this.notes()), ...notes }));
    await rename(`${path}.new`, path);
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}
