import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import type { RecordedEvent } from '../../../application/kernel/event-store.port.js';
import type { WakeUps } from '../../../application/kernel/wake-ups.port.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { TransactionLog } from '../log/transaction-log.js';
import { LeaderLoop } from '../../projection-engine/leader-loop.js';
import type { Leaders } from '../../leadership/leaders.js';
import { fenceOf } from './fences.js';
import type { IndexMender } from './index-mender.js';
import type { LogComparison } from './log-comparison.js';
import type { IndexProgress } from './index-progress.js';
import type { OverdueReservation, Reservations } from './reservations.js';

const AT_ONCE = 100;
const LOOK_MS = 1_000;
const BUSY_MS = 50;

/**
 * Ends reservations whose append never arrived. To keep the append from arriving late, the cleaner first stores a fence
 * in its place. The reservation ends only when that event, or another one, is stored there. If the append did arrive,
 * the index ends the reservation when it applies it, or it turns out here that it lacks it. A transaction that is stored at once has its fence in
 * one of its streams. Any other has it in a stream of its own: if it was committed, the cleaner stores the rest of it.
 *
 * One that stood still and goes on after another took over does no harm. Its fence is an append at a revision: if anything
 * is stored there, another cleaner's fence or the append itself, it is refused. What it stores of a committed transaction
 * has ids of its own, and is stored once. And the release of reservations is refused, although they are over for good.
 */
export class ReservationCleaner {
  private readonly loop: LeaderLoop;

  constructor(
    private readonly reservations: Reservations,
    private readonly log: EventStoreDbLog,
    private readonly transactions: TransactionLog,
    private readonly index: IndexProgress,
    leaders: Leaders,
    private readonly wakeUps: WakeUps,
    private readonly mender: IndexMender,
    private readonly comparison: LogComparison,
  ) {
    this.loop = new LeaderLoop(leaders, {
      role: 'reservation-cleaner',
      purpose: 'end overdue reservations',
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

  /** One round. Returns how many reservations it ended. */
  async clean(term?: LeaderTerm): Promise<number> {
    const overdue = await this.reservations.overdue(AT_ONCE);
    const over = await Promise.all(overdue.map((one) => this.isOver(one)));
    const ended = overdue.filter((_, index) => over[index]);
    await this.reservations.releaseOverdue(
      ended.map(({ transaction, id }) => transaction ?? id),
      term,
    );
    // Tasks that were reserved, or whose key was, may be claimed again. A transaction may concern any queue.
    for (const { transaction, scope } of ended) this.wakeUps.queueReady(transaction === null ? (scope ?? '*') : '*');
    return ended.length;
  }

  private async round(term: LeaderTerm): Promise<number> {
    const ended = await this.clean(term);
    await this.comparison.lookWhenDue();
    return ended === AT_ONCE ? BUSY_MS : LOOK_MS;
  }

  private isOver(reservation: OverdueReservation): Promise<boolean> {
    const { transaction, fencesAll } = reservation;
    return transaction === null || fencesAll ? this.isFenced(reservation) : this.hasEnded(transaction);
  }

  private async hasEnded(transaction: string): Promise<boolean> {
    const committed = await this.transactions.end(transaction);
    if (!committed) return true;
    const position = await this.transactions.finish(committed);
    return this.isApplied(
      position,
      committed.items.map(({ stream }) => stream),
    );
  }

  private async isFenced(reservation: OverdueReservation): Promise<boolean> {
    const fence = fenceOf(reservation);
    const [result] = await this.log.append([fence]);
    if (result!.kind === 'appended') return true;
    const [stored] = await this.log.readStreams([reservation.name]);
    const inPlace = stored![reservation.expected + 1];
    if (inPlace === undefined) return false;
    if (!isOf(reservation, inPlace)) return true;
    const all = reservation.fencesAll ? (await this.transactions.read(inPlace)).flat() : [inPlace];
    return this.isApplied(
      all.at(-1)!.position,
      all.map(({ stream }) => stream),
    );
  }

  /** The index ends a reservation with the append. If it has passed the append and the reservation is there, it may lack it. */
  private async isApplied(position: bigint, streams: readonly string[]): Promise<boolean> {
    return (await this.index.reached(position, 0)) && this.mender.mend([...new Set(streams)]);
  }
}

/** Whether the event is of the append that the reservation was made for. A repetition has the same id. */
const isOf = ({ id, transaction }: OverdueReservation, event: RecordedEvent): boolean =>
  transaction === null ? event.id === id : event.transaction?.id === transaction;
