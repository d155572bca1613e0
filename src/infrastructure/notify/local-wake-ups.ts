import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { type ReadyTasks, WakeUps } from '../../application/kernel/wake-ups.port.js';

type Listener = (...values: never[]) => void;

/** Wake-ups within one process. */
@Injectable()
export class LocalWakeUps extends WakeUps {
  // One listener per waiting claim and per follower is normal, so the limit that warns of leaks is off.
  private readonly emitter = new EventEmitter2({ maxListeners: 0 });

  queueReady(queue: string, only?: ReadyTasks): void {
    this.emitter.emit('queue.ready', queue, only);
  }

  slotFreed(queue: string): void {
    this.emitter.emit('slot.freed', queue);
  }

  logAdvanced(position: bigint): void {
    this.emitter.emit('log.advanced', position);
  }

  scheduleChanged(): void {
    this.emitter.emit('schedule.changed');
  }

  outboxFilled(): void {
    this.emitter.emit('outbox.filled');
  }

  sealsChanged(): void {
    this.emitter.emit('seals.changed');
  }

  taskSaid(task: string): void {
    this.emitter.emit('task.said', task);
  }

  onQueueReady(listener: (queue: string, only?: ReadyTasks) => void): () => void {
    return this.listen('queue.ready', listener);
  }

  onSlotFreed(listener: (queue: string) => void): () => void {
    return this.listen('slot.freed', listener);
  }

  onLogAdvanced(listener: (position: bigint) => void): () => void {
    return this.listen('log.advanced', listener);
  }

  onScheduleChanged(listener: () => void): () => void {
    return this.listen('schedule.changed', listener);
  }

  onOutboxFilled(listener: () => void): () => void {
    return this.listen('outbox.filled', listener);
  }

  onSealsChanged(listener: () => void): () => void {
    return this.listen('seals.changed', listener);
  }

  onTaskSaid(listener: (task: string) => void): () => void {
    return this.listen('task.said', listener);
  }

  private listen(event: string, listener: Listener): () => void {
    this.emitter.on(event, listener as (...values: unknown[]) => void);
    return () => this.emitter.off(event, listener as (...values: unknown[]) => void);
  }
}
