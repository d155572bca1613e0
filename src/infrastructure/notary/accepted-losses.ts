import type { NotaryEvent } from '../../domain/notary/notary.events.js';
import { LOG, notaryStream } from '../../domain/notary/notary.stream.js';
import type { Checkpoint } from '../../domain/seals/checkpoint.js';
import type { EventLog } from '../../projections/kernel/event-log.port.js';

/** What people said in the log of losses. */
export class AcceptedLosses {
  constructor(private readonly log: Pick<EventLog, 'readStreams'>) {}

  /** Under which name the log is sealed on, if what was signed last of it is lost; null if nobody has accepted that. */
  async nextAfter({ origin, size, root }: Checkpoint): Promise<string | null> {
    const [history = []] = await this.log.readStreams([notaryStream(LOG)]);
    const signed = Buffer.from(root).toString('base64');
    const accepted = history
      .map(({ event }) => (event as NotaryEvent).data)
      .find((loss) => loss.log === origin && loss.size === size && loss.root === signed);
    return accepted?.next ?? null;
  }
}
