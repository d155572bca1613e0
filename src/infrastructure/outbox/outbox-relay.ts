import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EventStoreUnavailable, StreamContentionError } from '../../application/kernel/application-error.js';
import type { CommandContext } from '../../application/kernel/command-context.js';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { type LeaderTerm, TermOver } from '../../application/kernel/leader-term.js';
import { newId } from '../../application/kernel/new-id.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { type EnqueueItem, isPassing } from '../../application/tasks/enqueue-item.js';
import { EnqueueTasks, type EnqueueOutcome } from '../../application/tasks/enqueue-tasks.handler.js';
import { isMissingObject, isRefusedData } from '../database/refused-data.js';
import { LeaderLoop } from '../projection-engine/leader-loop.js';
import { Leaders } from '../leadership/leaders.js';
import { Signal } from '../../application/kernel/signal.js';
import { type OutboxRow, OutboxTable } from './outbox-table.js';

interface RelayRound {
  readonly found: number;
  readonly through: number;
  readonly later: number;
  readonly more: boolean;
}

/** Bounds the memory of a round and the time for which its append holds the log lock. */
export const ROWS_PER_ROUND = 500;
/**
 * How often to look without a wake-up. This bounds the delay after a lost one, and finds rows that are to be tried
 * again.
 */
const LOOK_MS = 5_000;
/** The rest after a round that left rows behind: the system drains, or they are to be tried again. */
const UNPRODUCTIVE_REST_MS = 1_000;

/**
 * The relay role. It turns each row of the outbox into a task, exactly once, because the row's id is the task's id. It
 * removes the row after it has stored the task. If it dies in between, the next relay finds the task stored and removes
 * the row. Of all processes, one relays at a time.
 */
@Injectable()
export class OutboxRelay {
  private readonly logger = new Logger(OutboxRelay.name);
  private readonly relaying: LeaderLoop;
  private readonly filled = new Signal();
  private seen = 0;
  private stopListening: (() => void) | null = null;

  constructor(
    private readonly commands: CommandBus,
    private readonly outbox: OutboxTable,
    private readonly wakeUps: WakeUps,
    leaders: Leaders,
  ) {
    this.relaying = new LeaderLoop(leaders, {
      role: 'outbox-relay',
      purpose: 'relay the outbox',
      round: ({ term }) => this.round(term),
      rest: (ms, signal) => this.filled.past(this.seen, signal, ms),
    });
  }

  /** Safe to call twice. */
  start(): void {
    this.stopListening ??= this.wakeUps.onOutboxFilled(() => this.filled.emit());
    this.relaying.start();
  }

  /** Waits for the current round. Safe to call twice. */
  async stop(): Promise<void> {
    this.stopListening?.();
    this.stopListening = null;
    await this.relaying.stop();
  }

  /**
   * Relays one batch. Returns the number of rows found, of those that were stored or refused, and of those that are put
   * off.
   */
  async relay(term?: LeaderTerm): Promise<RelayRound> {
    const { rows, more } = await this.outbox.oldest(ROWS_PER_ROUND);
    let [through, later] = [0, 0];
    for (const run of runsOfOneActor(rows)) {
      const outcome = await this.enqueue(run, term);
      through += outcome.through;
      later += outcome.later;
    }
    return { found: rows.length, through, later, more };
  }

  private async round(term: LeaderTerm): Promise<number> {
    this.seen = this.filled.count;
    const { found, through, later, more } = await this.relay(term);
    if (more && through + later > 0) return 0;
    return through < found ? UNPRODUCTIVE_REST_MS : LOOK_MS;
  }

  private async enqueue(rows: readonly OutboxRow[], term?: LeaderTerm): Promise<Pick<RelayRound, 'through' | 'later'>> {
    const context = { actor: rows[0]!.actor, correlationId: newId(), ...(term && { term }) };
    const items = rows.map(({ item }) => item);
    const outcomes = await this.outcomesOf(items, context);
    const done = rows.filter((_, index) => outcomes[index]!.kind === 'done');
    const refused = rows.flatMap(({ id }, index) => refusalOf(id, outcomes[index]!));
    if (done.length > 0) await this.outbox.remove(done.map(({ id }) => id));
    const later = rows.filter((_, index) => isContended(outcomes[index]!));
    if (refused.length > 0) await this.outbox.refuse(refused);
    if (later.length > 0) this.tellRefused(await this.outbox.postpone(later.map(({ id }) => id)));
    return { through: done.length + refused.length, later: later.length };
  }

  private tellRefused(ids: readonly string[]): void {
    if (ids.length > 0)
      this.logger.error(
        `Expected to make the tasks of ${ids.length} rows of the outbox within a day, but could not, so they are refused: ${ids.join(', ')}`,
      );
  }

  /** If an error that does not pass ends the command, finds the rows that cause it, so that they hold back no other. */
  private async outcomesOf(items: readonly EnqueueItem[], context: CommandContext): Promise<readonly EnqueueOutcome[]> {
    try {
      return await this.commands.execute(new EnqueueTasks(items, context));
    } catch (error) {
      if (mayPass(error)) throw error;
      if (items.length === 1) return [this.failureOf(items[0]!, error)];
      const half = Math.ceil(items.length / 2);
      const first = await this.outcomesOf(items.slice(0, half), context);
      return [...first, ...(await this.outcomesOf(items.slice(half), context))];
    }
  }

  /** The row is refused if its data are at fault, and tried again otherwise. */
  private failureOf({ taskId }: EnqueueItem, error: unknown): EnqueueOutcome {
    this.logger.error(`Expected to make the task of the outbox's row '${taskId}', but: ${(error as Error).stack}`);
    return { kind: 'refused', rejection: { code: isRefusedData(error) ? 'COMMAND_FAILED' : 'CONTENTION' } };
  }
}

/** Whether the error says nothing about the rows: the store is away, another process leads, or one migrates. */
const mayPass = (error: unknown): boolean =>
  error instanceof TermOver ||
  error instanceof StreamContentionError ||
  error instanceof EventStoreUnavailable ||
  isConnectionError(error) ||
  isMissingObject(error);

/** Groups consecutive rows by actor, because a command has one actor, and keeps their order. */
function runsOfOneActor(rows: readonly OutboxRow[]): readonly (readonly OutboxRow[])[] {
  const runs: OutboxRow[][] = [];
  for (const row of rows) {
    const open = runs.at(-1);
    if (open?.[0]!.actor === row.actor) open.push(row);
    else runs.push([row]);
  }
  return runs;
}

/** Concerns the row alone. A drain concerns all rows, and they go on as soon as it ends. */
const isContended = (outcome: EnqueueOutcome): boolean =>
  outcome.kind === 'refused' && outcome.rejection.code === 'CONTENTION';

/** After a passing refusal the row stays to be tried again. */
const refusalOf = (id: string, outcome: EnqueueOutcome) =>
  outcome.kind === 'refused' && !isPassing(outcome.rejection) ? [{ id, rejection: outcome.rejection }] : [];
