import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { parseCheckpoint } from '../../domain/seals/checkpoint.js';
import { parseNote } from '../../domain/seals/note.js';
import { numberOf } from '../../domain/seals/log-name.js';
import { nameInKey } from '../../domain/seals/note-key.js';
import { EventLog } from '../kernel/event-log.port.js';
import { lagsAt, NOW_MS } from '../kernel/lag.js';
import { endedLogs, type LogEnd } from './ended-logs.js';
import { LAST_SEAL, type Seal, sealOf, type SealRow } from './seal.js';

/** How far the log is sealed. */
export interface LogView {
  /** `unsealed`: no notary has sealed it yet. `stopped`: the notary signs nothing. */
  readonly state: 'unsealed' | 'sealing' | 'stopped';
  /** Null before there is a key. */
  readonly name: string | null;
  /** As verifiers take it. */
  readonly key: string | null;
  readonly stopped: { readonly since: string; readonly reason: string } | null;
  /** What was signed last, if the log does not go on from it. */
  readonly lost: Pick<Seal, 'size' | 'note'> | null;
  /** The log that was sealed before this one, and who said that it does not go on. */
  readonly before: LogBefore | null;
  /** The leaves of the tree, which are sealed next. */
  readonly size: number;
  /** Of the last event in the tree. Decimal. */
  readonly position: string;
  /** The last one. */
  readonly seal: Seal | null;
  /** The age of the oldest event that no seal covers; 0 if there is none. Null before the first seal. */
  readonly lagSeconds: number | null;
  /** Up to where the notary has read all texts again, in the pass that began then. Null before the first one. */
  readonly audited: { readonly since: string; readonly position: string } | null;
  /** How often a witness has refused a seal. */
  readonly witnessRefusals: number;
}

/** What was signed last of a log. */
interface Signed {
  readonly size: number;
  readonly note: string;
}

export type LogBefore = LogEnd & Signed & { readonly name: string };

export class GetLog extends Query<LogView> {}

interface Row {
  readonly key: string | null;
  readonly stopped_at: Date | null;
  readonly stopped_for: string | null;
  readonly lost_seal: string | null;
  readonly tree_size: string | null;
  readonly tree_position: string | null;
  readonly audited_position: string | null;
  readonly audited_since: Date | null;
  readonly witness_refusals: string | null;
  readonly nowMs: number;
}

const LOG = `select n.key, n.stopped_at, n.stopped_for, n.lost_seal, n.audited_position, n.audited_since, n.witness_refusals, t.size as tree_size, t.position as tree_position, ${NOW_MS} as "nowMs"
  from (select) as one left join notary n on true left join log_tree t on true`;

@QueryHandler(GetLog)
export class GetLogHandler implements IQueryHandler<GetLog> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
  ) {}

  async execute(): Promise<LogView> {
    // In this order, so that the tree has what the seal covers.
    const [last] = await this.db.query<SealRow[]>(LAST_SEAL);
    const [row] = await this.db.query<[Row]>(LOG);
    const {
      key,
      stopped_at: since,
      stopped_for: reason,
      lost_seal: lost,
      tree_size: size,
      tree_position: position,
    } = row;
    const name = key && nameInKey(key);
    // The notary says that it has begun a log before the first seal of that can be seen.
    const seal = last && (name === null || last.log === numberOf(name)) ? sealOf(last) : null;
    return {
      state: since ? 'stopped' : seal ? 'sealing' : 'unsealed',
      name,
      key,
      stopped: since && { since: since.toISOString(), reason: reason! },
      lost: lost === null ? null : { size: sizeIn(lost), note: lost },
      before: await this.before(),
      size: Number(size ?? 0),
      position: position ?? '0',
      seal,
      lagSeconds: seal && (await this.lagAt(BigInt(seal.position), row.nowMs)),
      audited: auditedOf(row),
      witnessRefusals: Number(row.witness_refusals ?? 0),
    };
  }

  private async before(): Promise<LogBefore | null> {
    const ended = await endedLogs(this.db, this.log);
    const last = ended.findLast(({ end }) => end.note !== null);
    return last ? { name: last.name, ...(last.end as LogEnd & Signed) } : null;
  }

  private async lagAt(position: bigint, nowMs: number): Promise<number> {
    const lags = await lagsAt(this.log, [position], { head: await this.log.head(), nowMs });
    return lags.get(position)!.lagSeconds;
  }
}

const sizeIn = (note: string): number => parseCheckpoint(parseNote(note).text).size;

const auditedOf = ({ audited_since: since, audited_position: position }: Row): LogView['audited'] =>
  since && { since: since.toISOString(), position: position! };
