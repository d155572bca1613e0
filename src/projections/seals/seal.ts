import { parseNote } from '../../domain/seals/note.js';

/** What the notary signed once. */
export interface Seal {
  /** The number of leaves. */
  readonly size: number;
  /** Of the last event that it covers. Decimal. */
  readonly position: string;
  /** In Base64. */
  readonly root: string;
  readonly madeAt: string;
  /** Whose cosignatures it carries. */
  readonly witnesses: readonly string[];
  /** The seal itself, to keep. */
  readonly note: string;
}

export interface SealRow {
  /** Of which of the logs that came one after another, from 1. */
  readonly log: number;
  readonly size: string;
  readonly position: string;
  readonly root: Buffer;
  readonly note: string;
  readonly made_at: Date;
}

export const SEAL_COLUMNS = 'log, size, position, root, note, made_at';

/** Of the log that is sealed now, not of those before. */
export const LAST_SEAL = `select ${SEAL_COLUMNS} from seals order by log desc, size desc limit 1`;

export function sealOf({ size, position, root, note, made_at }: SealRow): Seal {
  const { text, signatures } = parseNote(note);
  const origin = text.slice(0, text.indexOf('\n'));
  const others = signatures.filter(({ name }) => name !== origin).map(({ name }) => name);
  return {
    size: Number(size),
    position,
    root: root.toString('base64'),
    madeAt: made_at.toISOString(),
    witnesses: [...new Set(others)],
    note,
  };
}
