import type { ResolvedEvent } from '@eventstore/db-client';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { streamEvent } from '../../../src/infrastructure/eventstoredb/log/stored-events.js';

/** A line of `eventstoredb.ndjson`: an event as EventStoreDB stores it. `data` and `metadata` are the stored bytes. */
export interface StoredLine {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export const fromEventStoreDb = ({ position, stream, data, metadata, ...rest }: StoredLine): RecordedEvent =>
  streamEvent(
    {
      event: {
        ...rest,
        streamId: stream,
        revision: BigInt(rest.revision),
        position: { commit: BigInt(position), prepare: BigInt(position) },
        data: JSON.parse(data) as object,
        metadata: JSON.parse(metadata) as object,
        created: new Date(0),
        isJson: true,
      },
    } as unknown as ResolvedEvent,
    stream,
  );
