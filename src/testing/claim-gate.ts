import type { Answer, ClaimRequest, Input, OperationId, Transport, TransportOptions } from '@waybill/client';
import { Signal } from '../application/kernel/signal.js';

const NOTHING: Answer = { status: 200, headers: {}, body: { tasks: [] } };

/**
 * Tells when workers have nothing to do. A claim that would wait looks once, and stands here until it is to look again, instead of waiting in the
 * service for a time that nobody moves.
 */
export class ClaimGate implements Transport {
  private readonly standing = new Map<string, () => void>();
  private readonly changed = new Signal();
  private isClosed = false;

  constructor(private readonly service: Transport) {}

  async call(operation: OperationId, input: Input, options?: TransportOptions): Promise<Answer> {
    if (operation !== 'claimTasks') return this.service.call(operation, input, options);
    return this.claim(input, input.body as ClaimRequest, options);
  }

  open(...given: Parameters<Transport['open']>): ReturnType<Transport['open']> {
    return this.service.open(...given);
  }

  /** Resolves once claims of all these queues have found nothing and stand here. If `signal` aborts before, with those that do not. */
  async allStand(queues: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    for (;;) {
      const { count } = this.changed;
      const others = queues.filter((queue) => !this.standing.has(queue));
      if (others.length === 0 || signal.aborted) return others;
      await this.changed.past(count, signal);
    }
  }

  lookAgain(queue?: string): void {
    for (const [name, go] of this.standing) {
      if (queue !== undefined && queue !== '*' && queue !== name) continue;
      this.standing.delete(name);
      go();
    }
  }

  /** From now on claims find nothing, also that with which a worker that stops asks what its last one got. */
  close(): void {
    this.isClosed = true;
    this.lookAgain();
  }

  private async claim(input: Input, body: ClaimRequest, options: TransportOptions = {}): Promise<Answer> {
    const { queue } = input.path as { readonly queue: string };
    const waits = (body.waitMs ?? 0) > 0;
    while (!this.isClosed) {
      const answer = await this.service.call('claimTasks', { ...input, body: { ...body, waitMs: 0 } }, options);
      if (!waits || hasTasks(answer)) return answer;
      await this.stand(queue, options.signal);
    }
    return NOTHING;
  }

  private async stand(queue: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.standing.delete(queue);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.standing.set(queue, () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      });
      this.changed.emit();
    });
  }
}

/** A queue that refuses to give out tasks, or that nobody has defined, has none. */
const hasTasks = ({ status, body }: Answer): boolean =>
  status < 400 && (body as { readonly tasks: readonly unknown[] }).tasks.length > 0;
