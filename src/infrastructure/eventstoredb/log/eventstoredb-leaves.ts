import { type CheckedLeaf, type LeafSource, type LogLeaf, LogLeaves } from '../../notary/log-leaves.port.js';
import type { EventStoreDbLog } from './eventstoredb-log.js';

/** A read ends early where the events are large. */
const SOURCES_AT_ONCE = 500;

/** Of the events in EventStoreDB. */
export class EventStoreDbLeaves extends LogLeaves {
  constructor(private readonly log: Pick<EventStoreDbLog, 'readLeaves' | 'readSource' | 'readSourcesAfter'>) {
    super();
  }

  /** A read ends early where the events are large. */
  async after(position: bigint, limit: number): Promise<readonly LogLeaf[]> {
    const found: LogLeaf[] = [];
    while (found.length < limit) {
      const page = await this.log.readLeaves(found.at(-1)?.position ?? position, limit - found.length);
      if (page.length === 0) break;
      found.push(...page);
    }
    return found;
  }

  /** A leaf is made of the event itself. */
  async checked(position: bigint, limit: number): Promise<readonly CheckedLeaf[]> {
    return (await this.after(position, limit)).map((leaf) => ({ ...leaf, first: null, isAltered: false }));
  }

  sourcesAfter(position: bigint): Promise<readonly LeafSource[]> {
    return this.log.readSourcesAfter(position, SOURCES_AT_ONCE);
  }

  async sources(positions: readonly bigint[]): Promise<readonly LeafSource[]> {
    const found: LeafSource[] = [];
    for (const position of positions) found.push(await this.log.readSource(position));
    return found;
  }
}
