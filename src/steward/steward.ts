import { hostname } from 'node:os';
import { Logger } from '@nestjs/common';
import { createWaybill, type Waybill, WaybillError, type Worker } from '@waybill/client';
import { type BulkOperation, OPERATIONS_QUEUE } from '../application/bulk-operations/bulk-operation.js';
import type { WakeUps } from '../application/kernel/wake-ups.port.js';
import type { Operations } from '../api/operations/operations.js';
import { InProcessTransport } from '../in-process/in-process-transport.js';
import { BulkOperationRun, type BulkWork } from './bulk-operation-run.js';

/** Looks this often for the first order, in case its wake-up was lost. */
const LOOK_MS = 30_000;

/** More than one, so that an urgent operation need not wait for a long one. Each gives many commands at once. */
const CONCURRENCY = 3;

/**
 * The role `steward`: works on the service's own tasks, as a worker like any other. It claims only once there is
 * something to work on, so an installation without operations does not pay for it.
 */
export class Steward {
  private readonly logger = new Logger('Steward');
  private readonly transport: InProcessTransport;
  private readonly waybill: Waybill;
  private worker: Worker | null = null;
  private looking: Promise<void> | null = null;
  private stopLooking: (() => void) | null = null;

  constructor(
    operations: Operations,
    private readonly wakeUps: WakeUps,
    private readonly work: BulkWork,
  ) {
    this.transport = new InProcessTransport(operations, true);
    this.waybill = createWaybill({ transport: this.transport, actor: 'steward' });
  }

  /** Safe to call twice. */
  start(): void {
    if (this.stopLooking) return;
    const timer = setInterval(() => this.look(), LOOK_MS).unref();
    const stopListening = this.wakeUps.onQueueReady((queue) => {
      if (queue === OPERATIONS_QUEUE || queue === '*') this.look();
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
    this.transport.close();
  }

  private look(): void {
    if (this.worker || this.looking) return;
    this.looking = this.startIfNeeded()
      .catch((error: Error) => this.logger.warn(`Expected to look for operations, but: ${error.message}`))
      .finally(() => (this.looking = null));
  }

  private async startIfNeeded(): Promise<void> {
    if (!(await this.isOrdered())) return;
    this.worker = this.waybill
      .worker({ name: `steward-${hostname()}-${process.pid}`, concurrency: CONCURRENCY, logger: null })
      .handle<BulkOperation>(OPERATIONS_QUEUE, (_, run) => new BulkOperationRun(run, this.work).finish());
    await this.worker.start();
    this.stopLooking?.();
  }

  /** Whether anybody has ever ordered an operation. */
  private async isOrdered(): Promise<boolean> {
    try {
      await this.waybill.queue(OPERATIONS_QUEUE).get();
      return true;
    } catch (error) {
      if (error instanceof WaybillError && error.code === 'QUEUE_NOT_FOUND') return false;
      throw error;
    }
  }
}
