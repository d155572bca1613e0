import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';

/** A file is no export, or not a whole one. The message says what was expected, and of which line. */
export class BadExport extends Error {
  override readonly name = 'BadExport';
}

const CHUNK_BYTES = 256 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** The lines of a file, some at a time, also of one that gzip compressed. Throws `BadExport` if it cannot be read to its end. */
export async function* linesOf(path: string): AsyncGenerator<readonly string[]> {
  const file = await open(path).catch((error: Error) => {
    throw new BadExport(`Expected a file '${path}', but: ${error.message}`);
  });
  try {
    const magic = Buffer.alloc(2);
    await file.read(magic, 0, 2, 0);
    const stream = file.createReadStream({ start: 0, highWaterMark: CHUNK_BYTES, autoClose: false });
    yield* linesIn(magic.equals(GZIP) ? stream.pipe(createGunzip({ chunkSize: CHUNK_BYTES })) : stream, path);
  } finally {
    await file.close();
  }
}

async function* linesIn(stream: Readable, path: string): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let [rest, read] = ['', 0];
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop()!;
      read += lines.length;
      if (lines.length > 0) yield lines;
    }
  } catch (error) {
    if (error instanceof BadExport) throw error;
    throw new BadExport(`Expected '${path}' to be a whole file, but after line ${read}: ${(error as Error).message}`);
  }
  if (rest !== '') yield [rest];
}

/** The JSON object of a line, by its number. Throws `BadExport` if it is none. */
export function parsed(line: string, at: number): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(line) as unknown;
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  throw bad(at, 'a JSON object', line);
}

export const bad = (at: number, what: string, line: string): BadExport =>
  new BadExport(`Expected line ${at} to be ${what}, but it is '${line.slice(0, 100)}'`);
