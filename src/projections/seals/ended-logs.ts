import type { DataSource } from 'typeorm';
import { numberOf } from '../../domain/seals/log-name.js';
import type { NotaryEvent } from '../../domain/notary/notary.events.js';
import { LOG, notaryStream } from '../../domain/notary/notary.stream.js';
import { nextKeyIn } from '../../domain/seals/checkpoint.js';
import { parseNote } from '../../domain/seals/note.js';
import type { EventLog, Recorded } from '../kernel/event-log.port.js';
import { SEAL_COLUMNS, type SealRow } from './seal.js';

/** Why a log does not go on under its name, and who said so. */
export interface LogEnd {
  readonly why: 'loss' | 'newKey';
  /** What was signed last of it. Null before the notary has carried out the order for a new key. */
  readonly size: number | null;
  readonly note: string | null;
  /** Of the event that says so. Decimal. */
  readonly position: string;
  readonly at: string;
  readonly by: string;
  readonly reason: string | null;
}

/** A log that was sealed under another name than the one after it. */
export interface EndedLog {
  readonly name: string;
  /** As verifiers take it. Null after a loss, which does not record it. */
  readonly key: string | null;
  readonly end: LogEnd;
}

const LAST_SEALS = `select last.* from unnest($1::int[]) as one,
  lateral (select ${SEAL_COLUMNS} from seals where log = one order by size desc limit 1) as last`;

/** The logs that came before the one that is sealed now, the first one first. */
export async function endedLogs(db: Pick<DataSource, 'query'>, log: EventLog): Promise<readonly EndedLog[]> {
  const [history = []] = await log.readStreams([notaryStream(LOG)]);
  if (history.length === 0) return [];
  const numbers = history.map(({ event }) => numberOf((event as NotaryEvent).data.log));
  const seals = await db.query<SealRow[]>(LAST_SEALS, [numbers]);
  return history.map((recorded) => endedLog(recorded, seals));
}

/** The number of the first log with the tree that is sealed now: a new key goes on with it, and an accepted loss begins another one. */
export async function firstLogOfTree(log: Pick<EventLog, 'readStreams'>): Promise<number> {
  const [history = []] = await log.readStreams([notaryStream(LOG)]);
  const last = history.map(({ event }) => event as NotaryEvent).findLast(({ type }) => type === 'LogLossAccepted');
  return last ? numberOf(last.data.next) : 1;
}

function endedLog({ event, position, recordedAt: at, envelope }: Recorded, seals: readonly SealRow[]): EndedLog {
  const { type, data } = event as NotaryEvent;
  const { actor: by, reason = null } = envelope;
  const said = { position: String(position), at, by, reason };
  if (type === 'LogLossAccepted')
    return { name: data.log, key: null, end: { why: 'loss', size: data.size, note: data.seal, ...said } };
  const last = seals.find((seal) => seal.log === numberOf(data.log) && isLast(seal)) ?? null;
  const signed = { size: last && Number(last.size), note: last && last.note };
  return { name: data.log, key: data.publicKey, end: { why: 'newKey', ...signed, ...said } };
}

const isLast = ({ note }: SealRow): boolean => nextKeyIn(parseNote(note).text) !== null;
