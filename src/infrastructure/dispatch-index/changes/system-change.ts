import type { SystemEvent } from '../../../domain/system/drain.events.js';
import type { RowChange } from './index-change.js';

export const systemChange = (events: readonly SystemEvent[]): RowChange => ({
  kind: 'row',
  table: 'system',
  row: Object.assign({ name: 'drain' }, ...events.map(columnsOf)) as Record<string, unknown>,
});

const NO_DRAIN = { intake: null, running: null, reason: null, begun_by: null, begun_at: null };

function columnsOf({ type, data }: SystemEvent): Record<string, unknown> {
  if (type === 'DrainEnded') return { draining: false, drain: data.id, resume: data.resume, ...NO_DRAIN };
  const { id: drain, by: begun_by, at: begun_at, intake, running, reason } = data;
  return { draining: true, drain, intake, running, reason, begun_by, begun_at, resume: null };
}
