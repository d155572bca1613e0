import type { ViewEvent } from '../../../domain/view/view.events.js';
import type { Row } from '../row.js';

export const viewRow = (events: readonly ViewEvent[]): Row =>
  Object.assign({ name: events[0]!.data.view }, ...events.map(columnsOf)) as Row;

function columnsOf({ type, data }: ViewEvent): Row {
  if (type === 'ViewDeleted') return { state: 'deleted' };
  return { state: 'saved', ...data.definition, saved_by: data.by, saved_at: data.at };
}
