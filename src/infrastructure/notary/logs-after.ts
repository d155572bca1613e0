import type { NotaryEvent } from '../../domain/notary/notary.events.js';
import { LOG, notaryStream } from '../../domain/notary/notary.stream.js';
import type { Checkpoint } from '../../domain/seals/checkpoint.js';
import type { EventLog, Recorded } from '../../projections/kernel/event-log.port.js';

/** That the key of a log is retired by the event at this position, and the name of the log after it. */
export interface RetiredKey {
  readonly next: string;
  readonly position: bigint;
}

/** What people said in the log of the logs that come one after another. */
export class LogsAfter {
  constructor(private readonly log: Pick<EventLog, 'readStreams'>) {}

  /** Under which name the log is sealed on, if what was signed last of it is lost; null if nobody has accepted that. */
  async afterLoss({ origin, size, root }: Checkpoint): Promise<string | null> {
    const signed = Buffer.from(root).toString('base64');
    for (const { event } of await this.history())
      if (event.type === 'LogLossAccepted' && event.data.log === origin)
        if (event.data.size === size && event.data.root === signed) return event.data.next;
    return null;
  }

  /** Where a log ends because its key is retired; null if nobody has retired it. */
  async afterKeyOf(log: string): Promise<RetiredKey | null> {
    for (const { event, position } of await this.history())
      if (event.type === 'NotaryKeyRetired' && event.data.log === log) return { next: event.data.next, position };
    return null;
  }

  private async history(): Promise<readonly (Recorded & { readonly event: NotaryEvent })[]> {
    const [history = []] = await this.log.readStreams([notaryStream(LOG)]);
    return history as readonly (Recorded & { readonly event: NotaryEvent })[];
  }
}
