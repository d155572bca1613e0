import type { AppendItem } from '../../../application/kernel/event-store.port.js';
import { Mutex } from '../../../application/kernel/mutex.js';

type Ask<R> = (item: AppendItem) => Promise<R>;

/** Reservations that were put off. Those of one request go together, after those of the requests before it, while others go on. */
export class PutOffReservations<R> {
  private readonly waiting = new Map<string, Ask<R>>();
  private readonly turn = new Mutex();

  constructor(private readonly send: (items: readonly AppendItem[]) => Promise<readonly R[]>) {}

  reserve(item: AppendItem): Promise<R> {
    const request = item.events[0]!.envelope.correlationId;
    const answer = this.waiting.get(request) ?? this.enter(request);
    return answer(item);
  }

  private enter(request: string): Ask<R> {
    const items: AppendItem[] = [];
    const answers = this.turn.run(() => {
      this.waiting.delete(request);
      return this.send(items);
    });
    const answer: Ask<R> = async (item) => {
      const at = items.push(item) - 1;
      return (await answers)[at]!;
    };
    this.waiting.set(request, answer);
    return answer;
  }
}
