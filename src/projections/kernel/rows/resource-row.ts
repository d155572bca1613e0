import type { ResourceEvent } from '../../../domain/resource/resource.events.js';
import type { Row } from '../row.js';

export const resourceRow = (events: readonly ResourceEvent[]): Row =>
  Object.assign({ name: events[0]!.data.resource }, ...events.map(columnsOf)) as Row;

function columnsOf(event: ResourceEvent): Row {
  switch (event.type) {
    case 'ResourceDefined': {
      const { definition, by, at } = event.data;
      const { staleAfterSeconds: stale_after, ...shown } = definition;
      return { state: 'defined', ...shown, stale_after, defined_by: by, defined_at: at };
    }
    case 'ResourceDeleted':
      return { state: 'deleted', level: null, crossed_at: null };
    default:
      return { level: event.data.value, crossed_at: event.data.at };
  }
}
