import type { SystemEvent } from '../../../domain/system/system.events.js';
import type { RowChange } from './index-change.js';

export const systemChange = (events: readonly SystemEvent[]): RowChange => ({
  kind: 'row',
  table: 'system',
  row: Object.assign({ name: 'drain' }, ...events.map(columnsOf)) as Record<string, unknown>,
});

const NO_DRAIN = { intake: null, running: null, reason: null, begun_by: null, begun_at: null };

function columnsOf({ type, data }: SystemEvent): Record<string, unknown> {
  if (type === 'SystemResumed') return { draining: false, resume: data.stopped, ...NO_DRAIN };
  const { by: begun_by, at: begun_at, intake, running, reason } = data;
  return { draining: true, intake, running, reason, begun_by, begun_at, resume: null };
}
