import { Malformed } from './malformed.js';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

type Reader = (head: Buffer) => ImageSize | null;

interface Format {
  readonly name: string;
  readonly signature: Buffer;
  readonly read: Reader;
}

const FORMATS: Readonly<Record<string, Format>> = {
  'image/png': { name: 'a PNG', signature: Buffer.from('89504e470d0a1a0a', 'hex'), read: pngSize },
  'image/gif': { name: 'a GIF', signature: Buffer.from('GIF8', 'latin1'), read: gifSize },
  'image/jpeg': { name: 'a JPEG', signature: Buffer.from('ffd8ff', 'hex'), read: jpegSize },
};

/**
 * The image's width and height in pixels, read from the file's first bytes. Null for other media types, and for a JPEG
 * whose size comes later. Throws `Malformed` if the bytes are not those of the media type.
 */
export function imageSize(mediaType: string, head: Buffer): ImageSize | null {
  const format = FORMATS[mediaType];
  if (!format) return null;
  const { name, signature, read } = format;
  const begin = head.subarray(0, signature.length);
  if (begin.equals(signature)) return read(head);
  const found = begin.length === 0 ? 'is empty' : `begins with the bytes ${begin.toString('hex')}`;
  throw new Malformed(`to be ${name} image, but it ${found}`);
}

/** The header chunk comes first, and begins with the size. */
function pngSize(head: Buffer): ImageSize {
  assertBytes(head, 24, 'a PNG');
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

function gifSize(head: Buffer): ImageSize {
  assertBytes(head, 10, 'a GIF');
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

/** Start-of-frame markers contain the size. C4, C8 and CC, which lie between them, have other meanings. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Goes from segment to segment. Each begins with `ff`, its marker, and its length in two bytes. */
function jpegSize(head: Buffer): ImageSize | null {
  for (let at = 2; at + 9 <= head.length; at += 2 + head.readUInt16BE(at + 2)) {
    // Any number of fill bytes may precede a marker.
    while (head[at] === 0xff && head[at + 1] === 0xff) at++;
    if (at + 9 > head.length || head[at] !== 0xff) return null;
    if (isFrame(head[at + 1]!)) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) };
  }
  return null;
}

function assertBytes(head: Buffer, count: number, name: string): void {
  if (head.length < count) throw new Malformed(`to be ${name} image, but it ends after ${head.length} bytes`);
}
