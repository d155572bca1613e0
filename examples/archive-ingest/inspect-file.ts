import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { imageSize } from './image-size.js';
import { jsonTrouble } from './json-trouble.js';
import { Malformed } from './malformed.js';
import { isText, mediaTypeOf } from './media-type.js';

/** What a file's bytes say. */
export interface Facts {
  readonly sha256: string;
  readonly mediaType: string;
  /** Of text only; a last line needs no line break. */
  readonly lines: number | null;
  /** Of images only, as their height. */
  readonly width: number | null;
  readonly height: number | null;
  /** What was not looked at, and why. */
  readonly note: string | null;
}

/** Larger JSON is recorded without being parsed: it would have to be held as a whole. */
export const JSON_BYTES = 8 * 2 ** 20;

/** Enough of a file to tell text from bytes, and for the size of an image. */
const HEAD_BYTES = 256 * 2 ** 10;

/** Reads a file's bytes once, holding a few hundred kilobytes of them at most, or a `.json` file of moderate size. */
export async function inspect(name: string, chunks: AsyncIterable<Buffer>): Promise<Facts> {
  const isJson = extname(name).toLowerCase() === '.json';
  const start = new Start(isJson ? JSON_BYTES : HEAD_BYTES);
  const hash = createHash('sha256');
  const lines = new LineCount();
  for await (const chunk of chunks) {
    hash.update(chunk);
    start.add(chunk);
    lines.add(chunk);
  }
  const head = start.bytes();
  const mediaType = mediaTypeOf(name, head);
  if (isJson && start.isAll) assertJson(head);
  const { width = null, height = null } = imageSize(mediaType, head) ?? {};
  const note = isJson && !start.isAll ? `not parsed: larger than ${JSON_BYTES / 2 ** 20} MiB` : null;
  return { sha256: hash.digest('hex'), mediaType, lines: isText(mediaType) ? lines.total : null, width, height, note };
}

/** The first bytes of a file. */
class Start {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  isAll = true;

  constructor(private readonly most: number) {}

  add(chunk: Buffer): void {
    const room = this.most - this.length;
    if (chunk.length > room) this.isAll = false;
    if (room <= 0) return;
    this.chunks.push(chunk.subarray(0, room));
    this.length += Math.min(room, chunk.length);
  }

  bytes(): Buffer {
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
  }
}

const LINE_BREAK = 0x0a;

class LineCount {
  private breaks = 0;
  private last = LINE_BREAK;

  add(chunk: Buffer): void {
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, at + 1)) this.breaks++;
    this.last = chunk.at(-1) ?? this.last;
  }

  get total(): number {
    return this.breaks + (this.last === LINE_BREAK ? 0 : 1);
  }
}

function assertJson(bytes: Buffer): void {
  if (bytes.length === 0) throw new Malformed('to be JSON, but it is empty');
  const text = textOf(bytes);
  try {
    JSON.parse(text);
  } catch (error) {
    const trouble = jsonTrouble(text);
    if (trouble === null) throw error;
    throw new Malformed(`to be JSON, but on ${placeOf(text, trouble.at)} ${trouble.words}`);
  }
}

/** A byte order mark at the start is no part of the text. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Malformed('to be JSON, but its bytes are not UTF-8');
  }
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`;
}
