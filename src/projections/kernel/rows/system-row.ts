import type { SystemEvent } from '../../../domain/system/system.events.js';
import type { Row } from '../row.js';

export const systemRow = (events: readonly SystemEvent[]): Row =>
  Object.assign({ name: 'drain' }, ...events.map(columnsOf)) as Row;

const NO_DRAIN = { intake: null, running: null, reason: null, begun_by: null, begun_at: null, quiesced_at: null };

function columnsOf({ type, data }: SystemEvent): Row {
  if (type === 'SystemResumed') return { draining: false, resume: data.stopped, ...NO_DRAIN };
  if (type === 'SystemQuiesced') return { quiesced_at: data.at };
  const { by: begun_by, at: begun_at, intake, running, reason } = data;
  return { draining: true, intake, running, reason, begun_by, begun_at, quiesced_at: null, resume: null };
}
