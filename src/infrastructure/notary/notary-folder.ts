import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoint, checkpointText, parseCheckpoint } from '../../domain/seals/checkpoint.js';
import { type NoteKey, noteKey, parseVerifierKey, verifierKey } from '../../domain/seals/note-key.js';
import type { Sign } from '../../domain/seals/signers.js';
import { hashing, newPrivateKey, publicBytesOf, sha256, signWith } from './node-signing.js';

/** The secret key, as `openssl` reads it. Whoever has it can sign as this log. */
const SECRET = 'key.pem';
/** The public key with the name of the log, as verifiers take it. */
const PUBLIC = 'key.pub';
/** What was signed last. Flushed before the signature leaves. */
const SIGNED = 'signed';
/** The last seal. */
const SEAL = 'seal';

/** What the notary has outside the database: its key, and its memory of what it signed last. */
export class NotaryFolder {
  private constructor(
    private readonly path: string,
    readonly key: NoteKey,
    readonly sign: Sign,
  ) {}

  /** Makes a key at the first start. Throws if a file lacks that was there before, because then it may have signed more than it knows. */
  static async open(path: string): Promise<NotaryFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const pem = (await textIn(path, SECRET)) ?? (await begin(path));
    const [secret, text] = [createPrivateKey(pem), await textIn(path, PUBLIC)];
    if (text === null) throw new Error(`Expected the file '${join(path, PUBLIC)}', but it lacks`);
    const key = parseVerifierKey(text.trim(), sha256);
    if (verifierKey(keyOf(key.name, secret)) !== verifierKey(key))
      throw new Error(`Expected '${PUBLIC}' to be the public key of '${SECRET}' in '${path}', but it is another one`);
    return new NotaryFolder(path, key, signWith(secret));
  }

  /** What was signed last; a tree without leaves if nothing was. */
  async signed(): Promise<Checkpoint> {
    const text = await textIn(this.path, SIGNED);
    if (text === null) throw new Error(`Expected what was signed last in '${join(this.path, SIGNED)}', but it lacks`);
    return parseCheckpoint(text);
  }

  /** Resolves once it is on the disk. */
  remember(checkpoint: Checkpoint): Promise<void> {
    return write(this.path, SIGNED, checkpointText(checkpoint));
  }

  publish(seal: string): Promise<void> {
    return write(this.path, SEAL, seal);
  }
}

const keyOf = (name: string, secret: KeyObject): NoteKey => noteKey(name, 'log', publicBytesOf(secret), sha256);

/** The secret key comes last: without it, nothing was ever signed. */
async function begin(path: string): Promise<string> {
  const before = await textIn(path, SIGNED);
  if (before !== null && parseCheckpoint(before).size > 0)
    throw new Error(`Expected the key of the log in '${join(path, SECRET)}', but it lacks`);
  const [name, secret] = [`waybill/${randomUUID()}`, newPrivateKey()];
  const pem = secret.export({ format: 'pem', type: 'pkcs8' }) as string;
  await write(path, SIGNED, checkpointText({ origin: name, size: 0, root: hashing.empty }));
  await write(path, PUBLIC, `${verifierKey(keyOf(name, secret))}\n`);
  await write(path, SECRET, pem);
  return pem;
}

async function textIn(path: string, file: string): Promise<string | null> {
  return readFile(join(path, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Whole or not at all, whenever the machine stops. Nobody else reads it but the owner. */
async function write(path: string, file: string, text: string): Promise<void> {
  const draft = join(path, `${file}.new`);
  await opened(draft, 'w', async (handle) => {
    await handle.writeFile(text);
    await handle.sync();
  });
  await rename(draft, join(path, file));
  await opened(path, 'r', (folder) => folder.sync());
}

async function opened(path: string, flags: string, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags, 0o600);
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}
