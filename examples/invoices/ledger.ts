import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Entry {
  /** The task, so that an invoice is posted once, however often its robot dies. */
  readonly task: string;
  readonly invoice: string;
  readonly supplier: string;
  readonly payable: number;
}

/** A file with an entry a line, for one process. Entries are only added. */
export class Ledger {
  private readonly posted = new Map<string, Promise<void>>();

  private constructor(private readonly file: FileHandle) {}

  static async open(path: string): Promise<Ledger> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a+');
    const text = await file.readFile('utf8');
    // So that the next entry does not continue a line that a crash cut off.
    if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n');
    const ledger = new Ledger(file);
    for (const { task } of entriesIn(text)) ledger.posted.set(task, Promise.resolve());
    return ledger;
  }

  /** Resolves once the entry is on the disk. Posts nothing if it is already there. */
  async post(entry: Entry): Promise<'posted' | 'already posted'> {
    const before = this.posted.get(entry.task);
    if (before) return before.then(() => 'already posted' as const);
    const writing = this.write(entry);
    this.posted.set(entry.task, writing);
    await writing;
    return 'posted';
  }

  private async write(entry: Entry): Promise<void> {
    await this.file.appendFile(`${JSON.stringify(entry)}\n`);
    await this.file.datasync();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** A line that a crash cut off is no entry. */
export const entriesIn = (text: string): Entry[] =>
  text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
