import { cloudEvents } from './cloud-events.js';
import { csv } from './csv.js';
import type { EventFormat } from './event-format.js';
import { jsonLines } from './json-lines.js';
import { ocel2 } from './ocel.js';
import { openLineage } from './open-lineage.js';
import { prov } from './prov.js';
import { xes } from './xes.js';

/** Every way to say the events of a log. */
export const EVENT_FORMATS = {
  events: jsonLines,
  csv,
  ocel2,
  xes,
  prov,
  openlineage: openLineage,
  cloudevents: cloudEvents,
} as const satisfies Readonly<Record<string, EventFormat>>;
