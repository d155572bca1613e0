import { hash } from 'node:crypto';
import { decrypted, encrypted, KEY_BYTES } from './encryption.js';

/** A key as the database keeps it. */
export interface WrappedKey {
  /** Which master key it is encrypted with. */
  readonly master: string;
  readonly key: Buffer;
}

/** The keys of a file, one a line, with which the database's keys are encrypted: new ones with the first. */
export class MasterKeys {
  private constructor(private readonly keys: ReadonlyMap<string, Buffer>) {}

  /** Throws TypeError if the text has anything else than keys, or none. */
  static in(text: string): MasterKeys {
    const lines = text.split('\n').map((line) => line.trim());
    const keys = lines.filter((line) => line !== '').map(keyIn);
    if (keys.length === 0) throw new TypeError('it is empty');
    return new MasterKeys(new Map(keys.map((key) => [nameOf(key), key])));
  }

  /** The names of the keys, which tell nothing of them. */
  get names(): readonly string[] {
    return [...this.keys.keys()];
  }

  /** `bound`: what the key is for. */
  wrap(key: Buffer, bound: string): WrappedKey {
    const [master, first] = [...this.keys][0]!;
    return { master, key: encrypted(first, key, bound) };
  }

  /** Throws if it was not wrapped by one of these for this. */
  unwrap({ master, key }: WrappedKey, bound: string): Buffer {
    const known = this.keys.get(master);
    const found = known && decrypted(known, key, bound);
    if (found) return found;
    throw new Error(
      `Expected the key of '${bound}' to be encrypted with a key of WAYBILL_SUBJECT_KEY_FILE, but it is not`,
    );
  }
}

function keyIn(line: string, at: number): Buffer {
  const key = Buffer.from(line, 'base64');
  if (key.length === KEY_BYTES && key.toString('base64') === line) return key;
  throw new TypeError(`key ${at + 1} of it is not ${KEY_BYTES} bytes in Base64`);
}

const nameOf = (key: Buffer): string => hash('sha256', key, 'hex').slice(0, 16);
