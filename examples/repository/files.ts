import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Digest, RemoteFile } from './manifests.js';

/** The file could not be fetched, or is not what its digest says. The message names it. */
export class BadFile extends Error {
  override readonly name = 'BadFile';
  readonly class = 'business';
}

export interface HeadRules {
  readonly signal: AbortSignal;
  /** How long a server may take to answer. */
  readonly headMs: number;
}

/**
 * The bytes that all files need, by one HEAD each at the same time; null if a server does not answer one with a length
 * in time.
 */
export async function spaceFor(files: readonly RemoteFile[], rules: HeadRules): Promise<number | null> {
  const sizes = await Promise.all(files.map(({ url }) => sizeOf(url, rules)));
  return sizes.every((size) => size !== null) ? sizes.reduce<number>((sum, size) => sum + size!, 0) : null;
}

async function sizeOf(url: string, { signal, headMs }: HeadRules): Promise<number | null> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(headMs)]);
  try {
    const { ok, headers } = await fetch(url, { method: 'HEAD', signal: inTime });
    const length = headers.get('content-length');
    return ok && length !== null ? Number(length) : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

export interface FetchRules {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** How often each file is tried. */
  readonly tries: number;
  /** How many are fetched at the same time. */
  readonly atOnce: number;
}

/**
 * Fetches the files that are not there yet, several at the same time. A file gets its name only once it is whole, so one
 * that has its name is never fetched again. Returns the bytes of all. Throws `BadFile`.
 */
export async function fetchAll(files: readonly RemoteFile[], rules: FetchRules): Promise<number> {
  const left = [...files];
  const sizes: number[] = [];
  const take = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) sizes.push(await fetched(file, rules));
  };
  // Waits for all, because a file that another try fetches at the same time would be fetched twice.
  const ends = await Promise.allSettled(Array.from({ length: rules.atOnce }, take));
  for (const end of ends) if (end.status === 'rejected') throw end.reason as Error;
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function fetched(file: RemoteFile, rules: FetchRules): Promise<number> {
  const path = join(rules.folder, file.name);
  const there = await stat(path).catch(() => null);
  if (there) return there.size;
  for (let tries = 1; ; tries++) {
    try {
      return await fetchOnce(file, path, rules.signal);
    } catch (error) {
      if (rules.signal.aborted) throw error;
      if (error instanceof BadFile || tries === rules.tries)
        throw error instanceof BadFile
          ? error
          : new BadFile(`Expected to fetch '${file.name}' from ${file.url}, but: ${(error as Error).message}`);
    }
  }
}

async function fetchOnce(file: RemoteFile, path: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(file.url, { signal });
  if (!response.ok || response.body === null) throw new Error(`the server answers ${response.status}`);
  const part = `${path}.part`;
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part));
  if (file.digest !== null) await assertDigest(file.name, part, file.digest);
  await rename(part, path);
  return (await stat(path)).size;
}

/** Throws `BadFile` unless the file at the path has the digest. */
export async function assertDigest(name: string, path: string, { type, value }: Digest): Promise<void> {
  const found = await digestOf(path, type);
  if (found !== value) throw new BadFile(`Expected '${name}' to have the ${type} ${value}, but it has ${found}`);
}

export async function digestOf(path: string, type: string): Promise<string> {
  const hash = createHash(type);
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
