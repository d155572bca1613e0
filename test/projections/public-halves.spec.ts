import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainEvent } from '../../src/domain/kernel/decider.js';
import { eventCodec } from '../../src/infrastructure/event-codec/event-codec.js';
import { segmentData } from '../../src/infrastructure/event-codec/segment-text.js';
import { needsPrivate, ruleFor } from '../../src/projections/kernel/projection.js';
import { FOLLOWED } from '../../src/projections/read-models.js';
import { fromEventStoreDb, type StoredLine } from '../support/eventstoredb/stored-line.js';

const GOLDEN = join(import.meta.dirname, '../golden');

/** Every event of the golden logs. */
const EVENTS: readonly DomainEvent[] = readdirSync(GOLDEN, { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .flatMap(({ name }) =>
    readFileSync(join(GOLDEN, name, 'eventstoredb.ndjson'), 'utf8')
      .split('\n')
      .slice(0, -1),
  )
  .map((line) => fromEventStoreDb(JSON.parse(line) as StoredLine).event);

function publicHalf(event: DomainEvent): DomainEvent {
  const { shared, lines } = eventCodec.encodeAll(event.type, event.version, [event.data]);
  return { ...event, data: segmentData(shared, lines)[0]! };
}

it.each(
  FOLLOWED.filter((projection) => !needsPrivate(projection)).map(
    (projection) => [projection.name, projection] as const,
  ),
)(
  'given only the public half of an event, when %s follows it, then its rows change as they do for the whole',
  (_, projection) => {
    const changes = (event: DomainEvent) =>
      ruleFor(projection, event)?.({ event, recordedAt: '2026-01-01T00:00:00.000Z', stream: 's', position: 1n });
    expect(EVENTS.map((event) => changes(publicHalf(event)))).toEqual(EVENTS.map((event) => changes(event)));
    expect(EVENTS.flatMap((event) => changes(event) ?? []).length).toBeGreaterThan(100);
  },
);
