import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How many characters are held at most, before they go to a file. */
const HELD = 8 * 1024 * 1024;
/** How many files of one size become a larger one. So at most this many are open for each size. */
const FILES = 16;

/** Lines that are read back in the order of their characters. More of them than memory holds wait in files, of which larger ones are merged. */
export class SortedLines {
  private held: string[] = [];
  private chars = 0;
  /** Each has the files that `FILES` of the level before were merged to. */
  private readonly levels: string[][] = [];

  constructor(
    private readonly folder: string,
    private readonly most = HELD,
  ) {}

  /** `line`: without a line break. */
  async add(line: string): Promise<void> {
    this.held.push(line);
    this.chars += line.length;
    if (this.chars >= this.most) await this.keep(0, this.taken());
  }

  /** Once, after the last one was added. */
  inOrder(): AsyncIterable<string> {
    return merged([this.taken(), ...this.levels.flat().map(linesIn)]);
  }

  private taken(): readonly string[] {
    const lines = this.held.sort();
    this.held = [];
    this.chars = 0;
    return lines;
  }

  private async keep(level: number, lines: Lines): Promise<void> {
    const file = join(this.folder, randomUUID());
    await writeFile(file, inChunks(lines), { mode: 0o600 });
    const files = [...(this.levels[level] ?? []), file];
    this.levels[level] = files.length < FILES ? files : [];
    if (files.length < FILES) return;
    await this.keep(level + 1, merged(files.map(linesIn)));
    for (const one of files) await rm(one);
  }
}

/** Gives the work a way to open sorted lines, whose files only this user can read. They are gone when the work ends. */
export async function withSortedLines(work: (open: () => SortedLines) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-export-'));
  try {
    await work(() => new SortedLines(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Lines = Iterable<string> | AsyncIterable<string>;

async function* merged(sources: readonly Lines[]): AsyncGenerator<string> {
  const heads = await Promise.all(sources.map(headOf));
  for (;;) {
    const open = heads.filter((head) => head.line !== undefined);
    if (open.length === 0) return;
    const least = open.reduce((one, other) => (other.line! < one.line! ? other : one));
    yield least.line!;
    await least.next();
  }
}

async function headOf(lines: Lines) {
  const iterator = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
  const head = {
    line: undefined as string | undefined,
    next: async (): Promise<void> => {
      const { done, value } = await iterator.next();
      head.line = done ? undefined : value;
    },
  };
  await head.next();
  return head;
}

const CHUNK = 64 * 1024;

async function* inChunks(lines: Lines): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** Splits at line feeds only: `readline` also splits at other characters. */
async function* linesIn(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}
