import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { newId } from '../../application/kernel/new-id.js';
import { ExpireLeases } from '../../application/claims/expire-leases.handler.js';
import type { CommandContext } from '../../application/kernel/command-context.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { ApplyDueQueueTransitions } from '../../application/queues/apply-due-queue-transitions.handler.js';
import { AdvisoryLocks, type HeldLock } from '../projection-engine/advisory-locks.js';
import { pause } from '../projection-engine/backoff.js';
import { Loop } from '../projection-engine/loop.js';
import { Signal } from '../projection-engine/signal.js';
import { DueQueues } from './due-queues.js';
import { Pruner } from './pruner.js';
import { DueWork } from './due-work.js';

const LEASES_PER_ROUND = 500;
/** A look without being woken: bounds the harm of a wake-up that was lost. */
const LOOK_MS = 5_000;
/** Every claim sets a deadline: looking at each would be a query per claim. */
const SHORTEST_REST_MS = 50;
/** An overdue lease that could not be ended is not tried without pause. */
const UNPRODUCTIVE_REST_MS = 1_000;
const CLEANING_MS = 60_000;

/** The sweeper role: turns what became due, by the clock or by how queues stand, into commands. Among all processes one sweeper works. */
@Injectable()
export class Sweeper {
  private readonly sweeping = new Loop(
    'sweep',
    (signal) => this.sweep(signal),
    (ms, signal) => this.rest(ms, signal),
  );
  private readonly cleaning = new Loop('delete old rows', () => this.clean());
  private readonly changed = new Signal();
  private stopListening: (() => void) | null = null;
  private lock: HeldLock | null = null;
  private dueUntil = '-infinity';

  constructor(
    private readonly commands: CommandBus,
    private readonly schedule: DueWork,
    private readonly dueQueues: DueQueues,
    private readonly pruner: Pruner,
    private readonly wakeUps: WakeUps,
    private readonly locks: AdvisoryLocks,
  ) {}

  /** May be called twice. */
  start(): void {
    this.stopListening ??= this.wakeUps.onScheduleChanged(() => this.changed.emit());
    this.sweeping.start();
    this.cleaning.start();
  }

  /** Waits for the round in hand. May be called twice. */
  async stop(): Promise<void> {
    this.stopListening?.();
    this.stopListening = null;
    await Promise.all([this.sweeping.stop(), this.cleaning.stop()]);
    await this.lock?.release();
    this.lock = null;
  }

  /** One round; answers how long nothing is due. */
  private async sweep(signal: AbortSignal): Promise<number> {
    if (!(await this.isOurs(signal))) return 0;
    const { count } = this.changed;
    const overdue = await this.expireLeases();
    await this.tendQueues();
    await this.tellOfDueTasks();
    if (overdue.found > 0 && overdue.expired === 0) return UNPRODUCTIVE_REST_MS;
    const next = (await this.schedule.nextInMs()) ?? LOOK_MS;
    return this.changed.count === count ? Math.min(next, LOOK_MS) : 0;
  }

  private async isOurs(signal: AbortSignal): Promise<boolean> {
    if (!this.lock || this.lock.lost.aborted) this.lock = await this.locks.acquire('sweeper', signal);
    return this.lock !== null;
  }

  private async expireLeases(): Promise<{ found: number; expired: number }> {
    const overdue = await this.schedule.overdueLeases(LEASES_PER_ROUND);
    if (overdue.length === 0) return { found: 0, expired: 0 };
    return { found: overdue.length, expired: await this.commands.execute(new ExpireLeases(overdue, contextOfRound())) };
  }

  private async tendQueues(): Promise<void> {
    const queues = await this.dueQueues.find();
    if (queues.length > 0) await this.commands.execute(new ApplyDueQueueTransitions(queues, contextOfRound()));
  }

  private async tellOfDueTasks(): Promise<void> {
    const { queues, until } = await this.schedule.queuesDue(this.dueUntil);
    this.dueUntil = until;
    for (const queue of queues) this.wakeUps.queueReady(queue);
  }

  /** Until then, or until the schedule changes. */
  private async rest(ms: number, signal: AbortSignal): Promise<void> {
    const { count } = this.changed;
    await pause(SHORTEST_REST_MS, signal);
    await this.changed.past(count, signal, Math.max(0, ms - SHORTEST_REST_MS));
  }

  private async clean(): Promise<number> {
    if (!this.lock || this.lock.lost.aborted) return CLEANING_MS;
    return (await this.pruner.deleteSome()) ? 0 : CLEANING_MS;
  }
}

const contextOfRound = (): CommandContext => ({ actor: 'sweeper', correlationId: newId() });
