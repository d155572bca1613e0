import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { numberOf } from '../../domain/seals/log-name.js';
import type { TreeHead } from '../../domain/merkle/proofs.js';
import { type Checkpoint, checkpointText, nextKeyIn, parseCheckpoint } from '../../domain/seals/checkpoint.js';
import { noteText } from '../../domain/seals/note.js';
import { type NoteKey, noteKey, parseVerifierKey, verifierKey } from '../../domain/seals/note-key.js';
import { logSignature, type Sign } from '../../domain/seals/signers.js';
import { hashing, newPrivateKey, publicBytesOf, sha256, signWith } from './node-signing.js';

/** The secret key, as `openssl` reads it. Whoever has it can sign as this log. */
const SECRET = 'key.pem';
/** Of the log of this name, when its first record is written. Then it takes the place of the secret key. */
const secretNext = (name: string): string => `key.${numberOf(name)}.pem`;
/** Of a key that the last record of the log before may name. Processes that end it at once make one each. */
const secretAhead = ({ name, id }: NoteKey): string => `key.${numberOf(name)}.${id.toString(16)}.pem`;
const isAheadOf = (name: string, file: string): boolean =>
  /^key\.(\d+)\.[\da-f]+\.pem$/.exec(file)?.[1] === String(numberOf(name));
/** The public key with the name of the log, as verifiers take it. */
const PUBLIC = 'key.pub';
/** Those of the logs before, by their numbers. */
const publicBefore = (name: string): string => `key.${numberOf(name)}.pub`;
/** What was signed: the file with the largest number is the last record. Flushed before the signature leaves. */
const SIGNED = /^signed\.(\d+)$/;
const signedFile = (number: number): string => `signed.${number}`;
/** What is not written whole yet. */
const DRAFT = '.new';
/** The last seal. */
const SEAL = 'seal';

/** What was signed last, and the number of its record. `text`: as it was signed. */
export interface Remembered {
  readonly number: number;
  readonly text: string;
  readonly signed: Checkpoint;
}

/** Another process has signed with this folder since the last record was read. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
  constructor(path: string) {
    super(`another process has signed with '${path}' in the meantime`);
  }
}

/**
 * What the notary has outside the database: its key, and its memory of what it signed last. Processes may share it, and may stand still at any
 * point: each record follows the one that its writer compared the log with, or it is not written.
 */
export class NotaryFolder {
  private constructor(
    private readonly path: string,
    readonly key: NoteKey,
    readonly sign: Sign,
  ) {}

  /** Makes a key at the first start. Throws if a file lacks that was there before, because then it may have signed more than it knows. */
  static async open(path: string): Promise<NotaryFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    if ((await textIn(path, SECRET)) === null) await begin(path);
    // In this order, because another process may begin the next log meanwhile: it writes them in the opposite one.
    const kept = parseVerifierKey(((await textIn(path, PUBLIC)) ?? (await publicOf(path))).trim(), sha256);
    const secret = await secretIn(path);
    const { signed } = await lastIn(path);
    const isOwn = verifierKey(keyOf(kept.name, secret)) === verifierKey(kept);
    if (!isOwn && (kept.name === signed.origin || !(await isBefore(path, kept))))
      throw new Error(`Expected '${PUBLIC}' to be the public key of '${SECRET}' in '${path}', but it is another one`);
    if (kept.name !== signed.origin) return NotaryFolder.next(path, kept, signed.origin);
    return new NotaryFolder(path, kept, signWith(secret));
  }

  /** The next log has begun. A crash leaves the public key of the one before, and is made good for at the next start. */
  private static async next(path: string, before: NoteKey, name: string): Promise<NotaryFolder> {
    await write(path, publicBefore(before.name), `${verifierKey(before)}\n`);
    await move(path, secretNext(name), SECRET);
    const secret = await secretIn(path);
    await write(path, PUBLIC, `${verifierKey(keyOf(name, secret))}\n`);
    await removeFrom(
      path,
      (await readdir(path)).filter((file) => isAheadOf(name, file)),
    );
    return new NotaryFolder(path, keyOf(name, secret), signWith(secret));
  }

  /** A tree without leaves if nothing was signed. Throws `Overtaken` if another process has begun the next log. */
  async last(): Promise<Remembered> {
    const last = await lastIn(this.path);
    if (last.signed.origin !== this.key.name) throw new Overtaken(this.path);
    return last;
  }

  /** What was signed last, signed again: the seal itself may not have left. */
  lastSeal({ text }: Remembered): string {
    return noteText({ text, signatures: [logSignature(this.key, text, this.sign)] });
  }

  /**
   * A new key for the log of this name, which is that log's if the last record of this one names it. Never one that lies in the folder: whoever
   * stole the key may have put it there, or read it.
   */
  async newKey(name: string): Promise<NoteKey> {
    const secret = newPrivateKey();
    const key = keyOf(name, secret);
    await write(this.path, secretAhead(key), pemOf(secret));
    return key;
  }

  /** From here on, whoever opens the folder signs the log of this name, which has to begin with `head`: with the key that `last` names, or with this one. */
  async beginLog(name: string, last: Remembered, head: TreeHead = NOTHING): Promise<void> {
    const named = nextKeyIn(last.text);
    if (named === null) await removeFrom(this.path, [secretNext(name)]);
    else await move(this.path, secretAhead(parseVerifierKey(named, sha256)), secretNext(name));
    await this.remember(checkpointText({ origin: name, ...head }), last);
  }

  /** Resolves once it is on the disk, as the next record after `last`. Throws `Overtaken` if that is not the last one any more. */
  async remember(text: string, { number }: Remembered): Promise<Remembered> {
    const next = number + 1;
    if (!(await create(this.path, signedFile(next), text))) throw new Overtaken(this.path);
    const numbers = await numbersIn(this.path);
    // The name may be free because it was used and removed: then there is a later record. A list may miss that while it changes, but whoever
    // wrote it has removed this one first.
    const isLast = Math.max(...numbers) === next && (await textIn(this.path, signedFile(next))) !== null;
    await removeFrom(this.path, (isLast ? numbers.filter((one) => one < next) : [next]).map(signedFile));
    if (!isLast) throw new Overtaken(this.path);
    return { number: next, text, signed: parseCheckpoint(text) };
  }

  publish(seal: string): Promise<void> {
    return write(this.path, SEAL, seal);
  }
}

const NOTHING: TreeHead = { size: 0, root: hashing.empty };

const pemOf = (secret: KeyObject): string => secret.export({ format: 'pem', type: 'pkcs8' }) as string;

const keyOf = (name: string, secret: KeyObject): NoteKey => noteKey(name, 'log', publicBytesOf(secret), sha256);

/**
 * Makes the secret key. The record with the name of the log comes first, and of several processes that begin at once, each file is of whoever
 * was first. Without the secret key, nothing was ever signed.
 */
async function begin(path: string): Promise<void> {
  const numbers = await numbersIn(path);
  if (numbers.length > 0 && (await lastIn(path)).signed.size > 0)
    throw new Error(`Expected the key of the log in '${join(path, SECRET)}', but it lacks`);
  if (numbers.length === 0) {
    await create(path, signedFile(0), checkpointText({ origin: `waybill/${randomUUID()}`, ...NOTHING }));
  }
  await create(path, SECRET, pemOf(newPrivateKey()));
}

const secretIn = async (path: string): Promise<KeyObject> => createPrivateKey((await textIn(path, SECRET))!);

/** Whether the key was put aside as that of a log before, and the next log has one of its own. */
const isBefore = async (path: string, key: NoteKey): Promise<boolean> =>
  (await textIn(path, publicBefore(key.name)))?.trim() === verifierKey(key);

/** Writes the public key if nothing was signed with it yet. */
async function publicOf(path: string): Promise<string> {
  const { signed } = await lastIn(path);
  if (signed.size > 0) throw new Error(`Expected the file '${join(path, PUBLIC)}', but it lacks`);
  const text = `${verifierKey(keyOf(signed.origin, await secretIn(path)))}\n`;
  await write(path, PUBLIC, text);
  return text;
}

async function lastIn(path: string): Promise<Remembered> {
  // Whoever writes the next record removes this one.
  for (;;) {
    const numbers = await numbersIn(path);
    if (numbers.length === 0) throw new Error(`Expected what was signed last in '${path}', but it lacks`);
    const number = Math.max(...numbers);
    const text = await textIn(path, signedFile(number));
    if (text !== null) return { number, text, signed: parseCheckpoint(text) };
  }
}

/** In ascending order, in which they are removed, too. */
const numbersIn = async (path: string): Promise<readonly number[]> =>
  (await readdir(path))
    .flatMap((file) => SIGNED.exec(file)?.slice(1).map(Number) ?? [])
    .sort((one, other) => one - other);

async function removeFrom(path: string, files: readonly string[]): Promise<void> {
  for (const file of files) await rm(join(path, file), { force: true });
}

async function textIn(path: string, file: string): Promise<string | null> {
  return readFile(join(path, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Whole or not at all, whenever the machine stops. Nobody else reads it but the owner. */
async function write(path: string, file: string, text: string): Promise<void> {
  await drafted(path, file, text, (draft) => rename(draft, join(path, file)));
}

/** Nothing if the file is not there: another process has moved it, or nobody made it. */
async function move(path: string, from: string, to: string): Promise<void> {
  await rename(join(path, from), join(path, to)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await opened(path, 'r', (folder) => folder.sync());
}

/** As `write`, unless the file is there. Returns whether it was not. */
async function create(path: string, file: string, text: string): Promise<boolean> {
  try {
    await drafted(path, file, text, (draft) => link(draft, join(path, file)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A draft of its own, because several processes may write the same file. */
async function drafted(path: string, file: string, text: string, place: (draft: string) => Promise<void>) {
  const draft = join(path, `${file}.${randomUUID()}${DRAFT}`);
  try {
    await opened(draft, 'wx', async (handle) => {
      await handle.writeFile(text);
      await handle.sync();
    });
    await place(draft);
    await opened(path, 'r', (folder) => folder.sync());
  } finally {
    await rm(draft, { force: true });
  }
}

async function opened(path: string, flags: string, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags, 0o600);
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}
