import { Logger } from '@nestjs/common';
import { type Waybill, WaybillError, WaybillUnavailable, type Worker } from '@waybill/client';
import { hostname } from 'node:os';
import type { WakeUps } from '../application/kernel/wake-ups.port.js';

/** Looks this often for the first task, in case its wake-up was lost. */
const LOOK_MS = 30_000;

export interface ServiceWork {
  readonly queue: string;
  readonly concurrency: number;
  /** Registers what the worker does with the queue's tasks. */
  register(worker: Worker): Worker;
}

/**
 * Works on one of the service's own queues, as a worker like any other. It claims only once the queue exists, so an
 * installation that does not use it does not pay for it.
 */
export class ServiceWorker {
  private readonly logger = new Logger('Steward');
  private worker: Worker | null = null;
  private looking: Promise<void> | null = null;
  private stopLooking: (() => void) | null = null;

  constructor(
    private readonly waybill: Waybill,
    private readonly wakeUps: WakeUps,
    private readonly work: ServiceWork,
  ) {}

  /** Safe to call twice. */
  start(): void {
    if (this.stopLooking) return;
    const timer = setInterval(() => this.look(), LOOK_MS).unref();
    const stopListening = this.wakeUps.onQueueReady((queue) => {
      if (queue === this.work.queue || queue === '*') this.look();
    });
    this.stopLooking = () => {
      clearInterval(timer);
      stopListening();
    };
    this.look();
  }

  /** Returns what it works on. Safe to call twice. */
  async stop(): Promise<void> {
    this.stopLooking?.();
    await this.looking;
    await this.worker?.stop();
  }

  private look(): void {
    if (this.worker || this.looking) return;
    this.looking = this.startIfNeeded()
      .catch((error: Error) => this.warn(error))
      .finally(() => (this.looking = null));
  }

  /** Why the service does not answer for now, such as a store that is away, is told elsewhere. */
  private warn(error: Error): void {
    if (error instanceof WaybillUnavailable) return;
    this.logger.warn(`Expected to look for '${this.work.queue}', but: ${error.message}`);
  }

  private async startIfNeeded(): Promise<void> {
    if (!(await this.hasQueue())) return;
    const name = `steward-${hostname()}-${process.pid}`;
    const { concurrency } = this.work;
    // Each takes only what it runs: other stewards have slots, too.
    const options = { name, concurrency, aheadMs: 0, logger: null };
    this.worker = this.work.register(this.waybill.worker(options));
    await this.worker.start();
    this.stopLooking?.();
  }

  private async hasQueue(): Promise<boolean> {
    try {
      await this.waybill.queue(this.work.queue).get();
      return true;
    } catch (error) {
      if (error instanceof WaybillError && error.code === 'QUEUE_NOT_FOUND') return false;
      throw error;
    }
  }
}
