import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { inspect, JSON_BYTES } from './inspect-file.js';
import { Malformed } from './malformed.js';

async function* pieces(...parts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part as string);
}

const png = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
};

const gif = (width: number, height: number): Buffer => {
  const header = Buffer.from('GIF89a\0\0\0\0\0\0\0', 'latin1');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  return header;
};

/** With a segment before the one that has the size, and a fill byte between them. */
const jpeg = (width: number, height: number): Buffer => {
  const frame = Buffer.from('ffc2001108000000000301220002110103110100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from('ffd8ffe000060000ff00ff', 'hex'), frame]);
};

describe('inspect', () => {
  it('hashes the bytes, however they are split into chunks', async () => {
    const sha256 = createHash('sha256').update('one two').digest('hex');
    expect(await inspect('a.txt', pieces('one two'))).toMatchObject({ sha256 });
    expect(await inspect('a.txt', pieces('one', ' ', '', 'two'))).toMatchObject({ sha256 });
  });

  it.each([
    [[], 0],
    [['a'], 1],
    [['a\n'], 1],
    [['a\nb'], 2],
    [['a\n', '\n', 'b\n'], 3],
    [['a', '\n'], 1],
  ])('counts the lines of %j: %i', async (parts, lines) => {
    expect(await inspect('a.txt', pieces(...parts))).toMatchObject({ mediaType: 'text/plain', lines });
  });

  it.each([
    ['a.JS', 'x', 'text/javascript', 1],
    ['tsconfig.json', '{}', 'application/json', 1],
    ['LICENSE', 'MIT\n', 'text/plain', 1],
    ['tool', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]), 'application/octet-stream', null],
    ['a.svg', '<svg/>', 'image/svg+xml', 1],
    ['a.woff2', 'wOF2', 'font/woff2', null],
  ])('detects %s with %j as %s', async (name, content, mediaType, lines) => {
    expect(await inspect(name, pieces(content))).toMatchObject({ mediaType, lines });
  });

  it.each([
    ['a.png', png(640, 480)],
    ['a.gif', gif(640, 480)],
    ['a.jpg', jpeg(640, 480)],
    ['a.JPEG', jpeg(640, 480)],
  ])('reads the size of %s', async (name, content) => {
    expect(await inspect(name, pieces(content))).toMatchObject({ width: 640, height: 480, lines: null });
    expect(await inspect(name, pieces(content.subarray(0, 5), content.subarray(5)))).toMatchObject({ width: 640 });
  });

  it.each([
    ['a.png', gif(1, 1), 'to be a PNG image, but it begins with the bytes 4749463839610100'],
    ['a.png', png(1, 1).subarray(0, 20), 'to be a PNG image, but it ends after 20 bytes'],
    ['a.gif', Buffer.alloc(0), 'to be a GIF image, but it is empty'],
    ['a.jpg', Buffer.from('<html>'), 'to be a JPEG image, but it begins with the bytes 3c6874'],
    ['a.json', Buffer.alloc(0), 'to be JSON, but it is empty'],
    ['a.json', Buffer.from([0x22, 0xff, 0x22]), 'to be JSON, but its bytes are not UTF-8'],
    [
      'a.json',
      Buffer.from('{\n  "a": 1,\n  // b\n}'),
      `to be JSON, but on line 3, column 3 there is '/' where a property name in double quotes should be`,
    ],
  ])('refuses %s with %p', async (name, content, message) => {
    await expect(inspect(name, pieces(content))).rejects.toThrow(new Malformed(message));
  });

  it('does not count a byte order mark as part of the JSON', async () => {
    expect(await inspect('a.json', pieces('\uFEFF{}'))).toMatchObject({ lines: 1 });
  });

  it('finds no size in a JPEG that ends before it, and continues', async () => {
    expect(await inspect('a.jpg', pieces(jpeg(640, 480).subarray(0, 12)))).toMatchObject({ width: null, height: null });
  });

  it('records JSON beyond the limit without parsing it, and marks it', async () => {
    const chunk = Buffer.alloc(2 ** 20, 'x');
    const chunks = Array.from({ length: JSON_BYTES / chunk.length }, () => chunk);
    await expect(inspect('a.json', pieces(...chunks))).rejects.toThrow(Malformed);
    const { note, lines } = await inspect('a.json', pieces(...chunks, 'x'));
    expect({ note, lines }).toEqual({ note: 'not parsed: larger than 8 MiB', lines: 1 });
  });
});
