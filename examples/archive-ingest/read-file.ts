import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** What a catalogue compares to know that a file did not change. */
export interface Version {
  readonly size: number;
  /** Nanoseconds since 1970, in decimal: more digits than a number keeps. */
  readonly modified: string;
}

export interface OpenFile extends Version {
  chunks(): AsyncIterable<Buffer>;
}

/** The path leads to something that is no regular file. */
export class NoFile extends Error {
  override readonly name = 'NoFile';
}

const CHUNK_BYTES = 256 * 2 ** 10;

// A symbolic link is not followed, and a pipe without a writer does not keep us waiting.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Lets `use` read a regular file. Its version is that of before the reading: a change meanwhile shows at the next look. */
export async function withFile<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const handle = await open(path, FLAGS);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new NoFile(kindOf(stats));
    const version = { size: Number(stats.size), modified: String(stats.mtimeNs) };
    return await use({ ...version, chunks: () => chunksOf(handle, version.size) });
  } finally {
    await handle.close();
  }
}

/** Each chunk has memory of its own, no more of it than the file needs. */
async function* chunksOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  // One byte more than the file has: the read that fills less than its buffer is the last one.
  const length = Math.min(CHUNK_BYTES, size + 1);
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length);
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
    if (bytesRead < length) return;
  }
}

const kindOf = (stats: BigIntStats): string => (stats.isDirectory() ? 'a folder' : 'a device, pipe or socket');
