/** The payload of every task of every system: about 200 bytes of JSON. */
export const PAYLOAD = { file: 'a/file/name.txt', size: 123_456, tags: ['one', 'two', 'three'], note: 'x'.repeat(120) };
