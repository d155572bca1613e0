import { Logger } from '@nestjs/common';
import { type LeaderTerm, TermOver } from '../../application/kernel/leader-term.js';
import type { WakeUps } from '../../application/kernel/wake-ups.port.js';
import type { GrowingTree } from '../../domain/merkle/growing-tree.js';
import { consistencyPath, isConsistent, type TreeHead } from '../../domain/merkle/proofs.js';
import { TILE_WIDTH } from '../../domain/merkle/tile-paths.js';
import { numberOf } from '../../domain/seals/log-name.js';
import { type Checkpoint, checkpointText, nextKeyIn } from '../../domain/seals/checkpoint.js';
import { noteText, type SignedNote } from '../../domain/seals/note.js';
import { parseVerifierKey, verifierKey } from '../../domain/seals/note-key.js';
import { logSignature } from '../../domain/seals/signers.js';
import type { Leaders } from '../leadership/leaders.js';
import { LeaderLoop } from '../projection-engine/leader-loop.js';
import { LogAudit } from './log-audit.js';
import type { LogLeaf, LogLeaves } from './log-leaves.port.js';
import { LogLost } from './log-lost.js';
import type { LogsAfter, RetiredKey } from './logs-after.js';
import type { LogTree, TreeEnd } from './log-tree.js';
import { hashing, sha256 } from './node-signing.js';
import { NotaryFolder, Overtaken, type Remembered } from './notary-folder.js';
import type { NotaryNotice } from './notary-notice.js';
import { Witnesses } from './witnesses.js';

/** A seal is at most twice as late: it rests as long again as it works. */
const SEAL_MS = 5_000;
/** Some 130,000 events in batches, 400 KB of text. */
const LEAVES_AT_ONCE = 2_000;

export interface NotaryParts {
  readonly leaves: Pick<LogLeaves, 'after' | 'checked' | 'outside' | 'misnamed'>;
  readonly tree: LogTree;
  readonly notice: NotaryNotice;
  /** The folder outside the database. */
  readonly folder: string;
  /** Nobody if absent. */
  readonly witnesses?: Witnesses;
  /** There is one log only if absent. */
  readonly logs?: Pick<LogsAfter, 'afterLoss' | 'afterKeyOf'>;
  /** Nobody is told if absent. */
  readonly wakeUps?: Pick<WakeUps, 'sealsChanged'>;
}

/** A seal that has left. */
interface Sealed {
  readonly size: number;
  readonly note: SignedNote;
}

/** So many leaves, their root, and the position of the last one. */
type SealedHead = TreeHead & TreeEnd;

/** What was signed, and the record of it. */
interface Signed {
  readonly note: SignedNote;
  readonly remembered: Remembered;
}

/** The tree of this process, and the position of its last leaf. */
interface OpenTree {
  readonly tree: GrowingTree;
  position: bigint;
}

/**
 * Keeps the tree of the log and signs its size and root, of all processes in one at a time. It signs nothing that does not begin with
 * what it signed last, which it knows from outside the database: a restored backup brings its own tree along.
 */
export class Notary {
  private readonly logger = new Logger('Notary');
  private readonly loop: LeaderLoop;
  private folder: NotaryFolder | null = null;
  /** Null if the database has to be asked. */
  private open: OpenTree | null = null;
  /** The last seal of this term. */
  private sealed: Sealed | null = null;
  private readonly witnesses: Witnesses;
  private readonly audit: LogAudit;
  private isAudited = false;

  constructor(
    private readonly parts: NotaryParts,
    leaders: Leaders,
    role = 'notary',
  ) {
    this.witnesses = parts.witnesses ?? new Witnesses([]);
    this.audit = new LogAudit(parts);
    this.loop = new LeaderLoop(leaders, {
      role,
      purpose: 'seal the log',
      begin: () => this.begin(),
      round: ({ term }) => this.round(term),
    });
  }

  /** Safe to call twice. */
  start(): void {
    this.loop.start();
  }

  /** Waits for the current round. Safe to call twice. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Returns after how many milliseconds to go on. */
  async round(term: LeaderTerm): Promise<number> {
    try {
      await this.prepare();
      if (await this.grow(term)) return 0;
      const isSuspect = this.audit.why !== null;
      if (isSuspect) await this.check(term);
      if (!(await this.seal(term))) return 0;
      // Once a round, because an erasure is explained by what the next round reads.
      return isSuspect ? SEAL_MS : SEAL_MS - (await this.check(term));
    } catch (error) {
      this.forget();
      const isOver = error instanceof TermOver || error instanceof Overtaken;
      if (!isOver) await this.stops(term, error as Error);
      throw error;
    }
  }

  private async stops(term: LeaderTerm, why: Error): Promise<void> {
    await this.parts.notice.stops(term, why);
    this.parts.wakeUps?.sealsChanged();
  }

  private begin(): void {
    this.forget();
    this.isAudited = false;
  }

  /** Once a term: what was found before is looked at again before anything is signed. */
  private async prepare(): Promise<void> {
    if (this.isAudited) return;
    this.audit.begin(await this.parts.notice.fault());
    this.isAudited = true;
  }

  /** Reads texts again after the seal, so that this delays none. Returns for how many milliseconds. Throws if the log is not what was sealed. */
  private async check(term: LeaderTerm): Promise<number> {
    const [began, { tree }] = [performance.now(), this.open!];
    await this.parts.notice.audited(term, await this.audit.goOn({ size: tree.size, root: tree.root() }));
    if (this.audit.why !== null) throw new Error(this.audit.why);
    return performance.now() - began;
  }

  private forget(): void {
    this.open = null;
    this.sealed = null;
    // Another process may have begun the next log with it.
    this.folder = null;
    this.parts.notice.forget();
  }

  /** Whether more may follow. */
  private async grow(term: LeaderTerm): Promise<boolean> {
    const open = (this.open ??= await this.opened());
    const leaves = await this.parts.leaves.after(open.position, LEAVES_AT_ONCE);
    if (leaves.length === 0) return false;
    const before = open.tree.size;
    const begins = addTo(open, leaves);
    const { tree, position } = open;
    await this.parts.tree.grow(term, before, { size: tree.size, position, tiles: tree.takeTiles(), begins });
    return leaves.length === LEAVES_AT_ONCE;
  }

  private async opened(): Promise<OpenTree> {
    const { size, position } = await this.parts.tree.end();
    return { tree: await this.parts.tree.open(size), position };
  }

  /** Returns whether the log goes on, under its key; if not, the next round seals the log after it. */
  private async seal(term: LeaderTerm): Promise<boolean> {
    const { tree } = this.open!;
    const folder = (this.folder ??= await NotaryFolder.open(this.parts.folder));
    const [last, now] = [await folder.last(), { size: tree.size, root: tree.root() }];
    const lost = await this.lossOf(last.signed, now);
    if (lost !== null) {
      await this.beginLog(term, folder, last, lost);
      return false;
    }
    const end = await this.endOf(folder.key.name);
    if (end !== null) {
      await this.endLog(term, folder, last, end);
      return false;
    }
    if (now.size > 0) await this.sealAs(term, { origin: folder.key.name, ...now }, folder, last);
    await this.parts.notice.seals(term, verifierKey(folder.key));
    return true;
  }

  /** Seals the log as it is now, under another name. Throws `LogLost` unless somebody has accepted that what was signed is lost. */
  private async beginLog(term: LeaderTerm, folder: NotaryFolder, last: Remembered, why: string): Promise<void> {
    const next = (await this.parts.logs?.afterLoss(last.signed)) ?? null;
    if (next === null) throw new LogLost(why, folder.lastSeal(last));
    // First, because a tree that follows from the log may be made anew at any time.
    await this.parts.tree.empty(term);
    await folder.beginLog(next, last);
    this.logger.warn(`Begins the log '${next}', because somebody accepted that ${why}.`);
    this.begin();
  }

  /** Where the key of this log is retired, once the tree is so far. Asked before each seal, so that the key signs nothing after that. */
  private async endOf(log: string): Promise<RetiredKey | null> {
    const { tree, position } = this.open!;
    if (this.sealed?.size === tree.size) return null;
    const end = (await this.parts.logs?.afterKeyOf(log)) ?? null;
    return end !== null && end.position <= position ? end : null;
  }

  /** Signs for the last time, up to where the key is retired, and names the key of the next log, which begins with this one. */
  private async endLog(term: LeaderTerm, folder: NotaryFolder, last: Remembered, { next, position }: RetiredKey) {
    const origin = folder.key.name;
    const end = await this.endUpTo(position);
    const head = await this.headAt(end, last.signed);
    const key = await keyAfter(folder, next, last, end);
    const text = checkpointText({ origin, ...head }, verifierKey(key));
    const { note, remembered } = await signedBy(folder, text, last);
    const lines = await this.witnesses.cosign({ origin, ...head }, note);
    await this.publish(term, head, folder, { ...note, signatures: [...note.signatures, ...lines] });
    await folder.beginLog(next, remembered, head);
    this.logger.warn(`Begins the log '${next}' with another key, because somebody retired the key of '${origin}'.`);
    this.forget();
  }

  /** How many leaves there are up to the event at a position, and the position of the last one. */
  private async endUpTo(position: bigint): Promise<TreeEnd> {
    const { tree, leaves } = this.parts;
    const { index, after } = await tree.tileOf(position);
    const beside = await leaves.after(after, TILE_WIDTH);
    const at = beside.findIndex((leaf) => leaf.position >= position);
    return { size: index * TILE_WIDTH + at + 1, position: beside[at]!.position };
  }

  /** The log up to an end; all of it if more was signed, by a build that knows of no retired keys. */
  private async headAt({ size, position }: TreeEnd, signed: TreeHead): Promise<SealedHead> {
    const { tree: all, position: end } = this.open!;
    if (signed.size > size) return { size: all.size, root: all.root(), position: end };
    const [root] = await this.parts.tree.rootsOf([{ start: 0, end: size }], size);
    return { size, root: root!, position };
  }

  /** A seal that left without a witness gets its line later, unless there is a newer one. */
  private async sealAs(term: LeaderTerm, checkpoint: Checkpoint, folder: NotaryFolder, last: Remembered) {
    const [{ size }, { position }] = [checkpoint, this.open!];
    const before = this.sealed?.size === size ? this.sealed.note : null;
    if (before && this.witnesses.isWhole(before)) return;
    const note = before ?? (await signedBy(folder, checkpointText(checkpoint), last)).note;
    const lines = await this.witnesses.cosign(checkpoint, note);
    if (before && lines.length === 0) return;
    await this.publish(term, { ...checkpoint, position }, folder, {
      ...note,
      signatures: [...note.signatures, ...lines],
    });
  }

  private async publish(term: LeaderTerm, head: SealedHead, folder: NotaryFolder, note: SignedNote) {
    const [seal, { size, root, position }] = [noteText(note), head];
    // Before the seal can be seen, so that nobody sees it beside an old reason why there is none.
    await this.parts.notice.seals(term, verifierKey(folder.key));
    await this.parts.tree.keep(head, { root, note: seal, log: numberOf(folder.key.name) });
    this.parts.wakeUps?.sealsChanged();
    await folder.publish(seal);
    this.sealed = { size, note };
    this.logger.log(`Sealed the log up to position ${position}: ${JSON.stringify(seal)}`);
  }

  /** Why the log is not what was signed, and what came after it; null if it is. */
  private async lossOf(signed: TreeHead, now: TreeHead): Promise<string | null> {
    const path = consistencyPath(signed.size, now.size);
    if (path === null) return `the log has ${now.size} leaves only, and ${signed.size} were signed: it was set back`;
    const proof = await this.parts.tree.rootsOf(path, now.size);
    if (isConsistent(signed, now, proof, hashing)) return null;
    return `the log of ${now.size} leaves does not begin with the ${signed.size} that were signed`;
  }
}

/** The key that the last record names, if that has the end of the log; else a new one. A record from before names what somebody put there. */
async function keyAfter(folder: NotaryFolder, next: string, { text, signed }: Remembered, { size }: TreeEnd) {
  const named = signed.size < size ? null : nextKeyIn(text);
  return named === null ? folder.newKey(next) : parseVerifierKey(named, sha256);
}

/** What is signed is remembered first. The log was compared with `last`. */
async function signedBy(folder: NotaryFolder, text: string, last: Remembered): Promise<Signed> {
  const remembered = text === last.text ? last : await folder.remember(text, last);
  return { remembered, note: { text, signatures: [logSignature(folder.key, text, folder.sign)] } };
}

/** Adds the leaves. Returns where the tiles of leaves begin that were begun, by their index. */
function addTo(open: OpenTree, leaves: readonly LogLeaf[]): ReadonlyMap<number, bigint> {
  const begins = new Map<number, bigint>();
  for (const { text, position } of leaves) {
    if (open.tree.size % TILE_WIDTH === 0) begins.set(open.tree.size / TILE_WIDTH, open.position);
    open.tree.add(hashing.leaf(Buffer.from(text)));
    open.position = position;
  }
  return begins;
}
