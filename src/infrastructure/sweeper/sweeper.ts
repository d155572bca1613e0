import { TermOver } from '../../application/kernel/leader-term.js';
import type { WakeUps } from '../../application/kernel/wake-ups.port.js';
import type { Leaders, Leadership } from '../leadership/leaders.js';
import { Loop } from '../projection-engine/loop.js';
import { Signal } from '../../application/kernel/signal.js';
import type { PayloadSweep } from '../payloads/payload-sweep.js';
import type { Archiver } from './archiver.js';
import type { Chore } from './chore.js';
import type { FailingItems } from './failing-items.js';
import type { Pruner } from './pruner.js';
import type { ComparedRows } from './compared-rows.js';
import type { Pass } from './pass.js';
import type { StrayRows } from './stray-rows.js';
import { SweepRound } from './sweep-round.js';
import { SweepRest } from './sweep-rest.js';
import type { DueWork } from './due-work.js';

/** Looks this often even without a wake-up, to bound the harm of a lost one. */
const LOOK_MS = 5_000;
/** The rest after rows were due but none could be dealt with. */
const UNPRODUCTIVE_REST_MS = 1_000;
const CLEANING_MS = 60_000;
/**
 * How soon archiving goes on, and how soon it notices a changed policy. A slice of 1,000 rows took 36 ms: with rests of 20 ms
 * 18,000 rows a second moved, and claims beside them took up to twice as long.
 */
const ARCHIVING_REST_MS = 80;
const ARCHIVING_LOOK_MS = 1_000;
/** How long after the last rows of the index the first ones are looked at again. */
const BETWEEN_MENDINGS_MS = 30_000;
/** How soon the next payloads outside the log are looked at, and how soon new ones after the last: they become due once a day. */
const PAYLOADS_REST_MS = 10_000;
const BETWEEN_PAYLOADS_MS = 600_000;

/**
 * The sweeper role: turns what became due, by the clock or by the state of queues, into commands. Of all processes, one
 * sweeps at a time.
 */
export class Sweeper {
  private readonly sweeping = new Loop(
    'sweep',
    (signal) => this.sweep(signal),
    (ms, signal) => this.resting.rest(ms, signal),
  );
  private readonly cleaning = new Loop('delete old rows', () => this.clean());
  private readonly archiving = new Loop('archive ended tasks', () => this.archive());
  private readonly unnamed = new Loop('delete payloads that no event names', () => this.sweepPayloads());
  private readonly mending: readonly Loop[];
  private readonly changed = new Signal();
  private readonly resting = new SweepRest(this.changed);
  private readonly round: SweepRound;
  private stopListening: (() => void) | null = null;
  private leadership: Leadership | null = null;

  constructor(
    chores: readonly Chore[],
    private readonly work: DueWork,
    private readonly pruner: Pruner,
    private readonly archiver: Archiver,
    strays: StrayRows,
    compared: ComparedRows,
    private readonly wakeUps: WakeUps,
    private readonly leaders: Leaders,
    private readonly failing: FailingItems,
    private readonly payloads: Pick<PayloadSweep, 'next'>,
  ) {
    this.mending = [
      ...strays.passes.map((pass) => new Loop('mend the index', () => this.mend(pass))),
      ...compared.passes.map((pass) => new Loop('compare the index with the log', () => this.mend(pass))),
    ];
    this.round = new SweepRound(chores, { work, failing, strays, wakeUps });
  }

  /** Safe to call twice. */
  start(): void {
    this.stopListening ??= this.wakeUps.onScheduleChanged(() => this.changed.emit());
    this.sweeping.start();
    this.cleaning.start();
    this.archiving.start();
    this.unnamed.start();
    for (const loop of this.mending) loop.start();
  }

  /** Waits for the current round. Safe to call twice. */
  async stop(): Promise<void> {
    this.stopListening?.();
    this.stopListening = null;
    const loops = [this.sweeping, this.cleaning, this.archiving, this.unnamed, ...this.mending];
    await Promise.all(loops.map((loop) => loop.stop()));
    await this.leadership?.release();
    this.leadership = null;
  }

  /**
   * Runs one round and returns the milliseconds until something is due. Rejects, after all chores, if the database or the
   * event store was unavailable.
   */
  private async sweep(signal: AbortSignal): Promise<number> {
    const leadership = await this.leadershipOf(signal);
    if (!leadership) return 0;
    this.resting.begin();
    const began = performance.now();
    const outcomes = await this.round
      .run(leadership.term)
      .catch(nullIfTermOver)
      .finally(() => this.resting.worked(performance.now() - began));
    if (outcomes === null) return this.stepDown(leadership);
    leadership.worked();
    // What rests after a failure is still due.
    if (outcomes.has('stuck') || this.failing.size > 0) return this.resting.afterStuck(UNPRODUCTIVE_REST_MS);
    if (outcomes.has('done')) this.resting.found();
    return Math.min((await this.work.nextInMs()) ?? LOOK_MS, LOOK_MS);
  }

  private async leadershipOf(signal: AbortSignal): Promise<Leadership | null> {
    if (this.leadership && !this.leadership.lost.aborted) return this.leadership;
    this.leadership = await this.leaders.lead('sweeper', signal);
    if (this.leadership) await this.failing.clear();
    return this.leadership;
  }

  /** Another process sweeps since, and has had the wake-ups. */
  private async stepDown(leadership: Leadership): Promise<number> {
    await leadership.release();
    return 0;
  }

  private async archive(): Promise<number> {
    if (!this.leads()) return ARCHIVING_LOOK_MS;
    return (await this.archiver.archiveSome()) ? ARCHIVING_REST_MS : ARCHIVING_LOOK_MS;
  }

  private async mend(pass: Pass): Promise<number> {
    return this.leads() && (await pass.next()) ? pass.restMs : BETWEEN_MENDINGS_MS;
  }

  private async sweepPayloads(): Promise<number> {
    if (!this.leads()) return ARCHIVING_LOOK_MS;
    return (await this.payloads.next()) ? PAYLOADS_REST_MS : BETWEEN_PAYLOADS_MS;
  }

  private leads(): boolean {
    return this.leadership !== null && !this.leadership.lost.aborted;
  }

  private async clean(): Promise<number> {
    if (!this.leads()) return CLEANING_MS;
    return (await this.pruner.deleteSome()) ? 0 : CLEANING_MS;
  }
}

function nullIfTermOver(error: unknown): null {
  if (error instanceof TermOver) return null;
  throw error;
}
