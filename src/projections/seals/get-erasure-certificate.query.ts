import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type ErasureRecord, erasureRecordOf, outcomeIn } from './erasure-record.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventLog, type Recorded } from '../kernel/event-log.port.js';
import { CopyPlaces } from './copy-places.js';
import { firstLogOfTree } from './ended-logs.js';
import type { ErasedItem, ErasureCertificate, SealedSpan, StatedOfErasure } from './erasure-certificate.js';
import { MOST_EVENTS } from './get-task-proof.query.js';
import { LogProofs, type Sealed } from './log-proofs.port.js';
import { sealedUpTo, SealSources } from './sealed-up-to.js';

/** The erasure has not ended, or failed: nothing can be certified. */
export class ErasureNotDone extends Error {
  override readonly name = 'ErasureNotDone';
}

/**
 * What certifies an erasure: of what was erased, a part after an id. Null if there is no order with this id. Waits for the seal that covers its end. Throws
 * `NotSealed` and `ErasureNotDone`.
 */
export class GetErasureCertificate extends Query<ErasureCertificate | null> {
  /** No part of what is asked. */
  readonly #signal: AbortSignal;

  constructor(
    readonly erasure: string,
    readonly after: string | null,
    signal: AbortSignal,
  ) {
    super();
    this.#signal = signal;
  }

  /** Aborts when nobody waits for the answer. */
  get signal(): AbortSignal {
    return this.#signal;
  }
}

/** $1: the order. $2: the id of the last one; null at first. $3: how many. No batch has the id of a task: their streams would have one key. */
const ERASED = `select kind, id, position from erasure_items
  where erasure = $1 and kind in ('task', 'batch') and outcome = 'ERASED' and ($2::uuid is null or id > $2) order by id limit $3`;

/** $1: leaves. $2: the first log of the tree. Logs go on with the tree, so the last one with a seal of so few leaves has the largest of these. */
const BEFORE = 'select log, size, note from seals where log >= $2 and size <= $1 order by log desc, size desc limit 1';
// Of the log that is sealed now: all leaves are in it, too, and nobody has retired its key.
const AFTER =
  'select size, note from seals where log = (select max(log) from seals) and size > $1 order by size limit 1';

/** $1: the log of the one seal. The last seals of this one and of those up to the log that is sealed now. */
const LAST_SEALS = `select last.note from generate_series($1::int, (select max(log) - 1 from seals)) as one,
  lateral (select note from seals where log = one order by size desc limit 1) as last order by one`;

const AUDITED = `select audited_since as since, audited_position as position, clock_timestamp() as now from (select) as one left join notary n
  on n.fault_position is null and n.audited_since > $1`;

interface Audited {
  readonly since: Date | null;
  readonly position: string | null;
  readonly now: Date;
}

/** The order, and where in the log it begins and ends. */
interface Order {
  readonly id: string;
  readonly record: ErasureRecord;
  /** Up to its end. */
  readonly history: readonly Recorded[];
}

@QueryHandler(GetErasureCertificate)
export class GetErasureCertificateHandler implements IQueryHandler<GetErasureCertificate> {
  constructor(
    private readonly sources: SealSources,
    private readonly log: EventLog,
    private readonly proofs: LogProofs,
    private readonly copies: CopyPlaces,
  ) {}

  async execute({ erasure, after, signal }: GetErasureCertificate): Promise<ErasureCertificate | null> {
    const order = await this.orderOf(erasure);
    if (order === null) return null;
    await sealedUpTo(order.history.at(-1)!.position, this.sources, signal);
    const [erased, { sealed, seals }] = [await this.erased(erasure, after), await this.span(order)];
    const proof = await this.proofs.of(positionsOf(order.history), sealed, erasure);
    const { segments } = await this.proofs.of(
      erased.items.map(({ position }) => BigInt(position)),
      sealed,
      null,
    );
    const { ordered, approved, end } = order.record;
    return {
      format: 'waybill-erasure-certificate',
      version: 1,
      erasure,
      ordered,
      approved,
      result: outcomeIn(end!.result),
      seals,
      order: { format: 'waybill-proof', version: 1, task: erasure, truncated: proof.isCut, segments: proof.segments },
      erased: erased.items,
      segments,
      next: erased.next,
      stated: await this.stated(order.history.at(-1)!.recordedAt),
    };
  }

  /** Throws `ErasureNotDone`. */
  private async orderOf(id: string): Promise<Order | null> {
    const [history = []] = await this.log.readStreams([taskStream(id)]);
    const record = erasureRecordOf(history.map(readOf));
    if (record === null) return null;
    if (record.end === null || record.end.at >= MOST_EVENTS)
      throw new ErasureNotDone(`Expected an erasure that has been carried out, but '${id}' has not: ${WAIT}`);
    return { id, record, history: history.slice(0, record.end.at + 1) };
  }

  private async erased(order: string, after: string | null) {
    const rows = await this.sources.db.query<ErasedItem[]>(ERASED, [order, after, MOST_EVENTS + 1]);
    const items = rows.slice(0, MOST_EVENTS);
    return { items, next: rows.length > items.length ? items.at(-1)!.id : null };
  }

  /** The seals around the order, and that the second log begins with the first. */
  private async span({ history }: Order): Promise<{ readonly sealed: Sealed; readonly seals: SealedSpan }> {
    const [first, last] = await this.proofs.places([history[0]!.position, history.at(-1)!.position]);
    const [before] = await this.sources.db.query<KeptRow[]>(BEFORE, [first, await firstLogOfTree(this.log)]);
    const [after] = await this.sources.db.query<[SealRow]>(AFTER, [last]);
    const sealed = { size: Number(after.size), note: after.note };
    const consistency = before ? await this.proofs.consistency(Number(before.size), sealed.size) : [];
    const notes = before ? await this.sources.db.query<Pick<SealRow, 'note'>[]>(LAST_SEALS, [before.log]) : [];
    const lastSeals = notes.map(({ note }) => note);
    return { sealed, seals: { before: before?.note ?? null, after: after.note, consistency, lastSeals } };
  }

  private async stated(endedAt: string): Promise<StatedOfErasure> {
    const [{ since, position, now }] = await this.sources.db.query<[Audited]>(AUDITED, [endedAt]);
    return {
      at: now.toISOString(),
      audited: since && { since: since.toISOString(), position: position! },
      toRun: TO_RUN,
      copies: this.copies.after(new Date(endedAt)),
    };
  }
}

interface SealRow {
  readonly size: string;
  readonly note: string;
}

interface KeptRow extends SealRow {
  readonly log: number;
}

const WAIT = 'wait until its task has succeeded, and approve it if it waits for that';

const TO_RUN = [
  'waybill verify --key KEY.PUB --seal SEAL',
  'waybill check index',
  'waybill projection rebuild failure-groups --diff',
];

const readOf = ({ event, envelope, recordedAt }: Recorded) => ({
  type: event.type,
  data: event.data,
  actor: envelope.actor,
  reason: envelope.reason,
  at: recordedAt,
});

const positionsOf = (history: readonly Recorded[]): readonly bigint[] => history.map(({ position }) => position);
