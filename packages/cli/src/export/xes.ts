import type { EventView } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';
import { type AttributeType, attributesOf } from './attributes.js';
import type { EventFormat } from './event-format.js';

const EXTENSIONS: Readonly<Record<string, string>> = {
  Concept: 'concept',
  Lifecycle: 'lifecycle',
  Organizational: 'org',
  Time: 'time',
  Identity: 'identity',
};

/** What the events of a task are in the transactional model that XES calls `standard`. All others are `unknown` there. */
const TRANSITIONS: Readonly<Record<string, string>> = {
  TaskEnqueued: 'schedule',
  TaskSubmitted: 'schedule',
  TaskRetryScheduled: 'schedule',
  TaskRetried: 'schedule',
  TaskClaimed: 'start',
  TaskHeld: 'suspend',
  TaskReleased: 'resume',
  TaskSucceeded: 'complete',
  TaskAttemptFailed: 'ate_abort',
  TaskLeaseExpired: 'ate_abort',
  TaskReturned: 'reassign',
  TaskWaited: 'suspend',
  TaskFailed: 'pi_abort',
  TaskCancelled: 'pi_abort',
  TaskAborted: 'withdraw',
  TaskDeleted: 'withdraw',
  TaskSuperseded: 'autoskip',
};

const TAGS: Readonly<Record<AttributeType, string>> = {
  string: 'string',
  time: 'date',
  integer: 'int',
  float: 'float',
  boolean: 'boolean',
};

/**
 * XES, IEEE 1849: a trace a task. What is not of tasks follows after the last trace, as events of none. The events of a trace
 * lie apart in the log, so all of them are sorted first.
 */
export const xes: EventFormat = async function* (events, { sorted }) {
  const lines = sorted();
  for await (const event of events) await lines.add(`${placeOf(event)}\t${jsonLine(event)}`);
  yield* HEAD;
  let open: string | null = null;
  for await (const line of lines.inOrder()) {
    const event = JSON.parse(line.slice(line.lastIndexOf('\t') + 1)) as EventView;
    const trace = isOfTask(event) ? event.stream : null;
    if (trace !== open) {
      if (open !== null) yield '</trace>';
      if (trace !== null) yield `<trace>${textOf('concept:name', trace)}`;
      open = trace;
    }
    yield eventOf(event);
  }
  if (open !== null) yield '</trace>';
  yield '</log>';
};

const HEAD: readonly string[] = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<log xes.version="1849.2016">',
  ...Object.entries(EXTENSIONS).map(
    ([name, prefix]) =>
      `<extension name="${name}" prefix="${prefix}" uri="http://www.xes-standard.org/${prefix}.xesext"/>`,
  ),
  '<global scope="trace"><string key="concept:name" value="unknown"/></global>',
  '<global scope="event"><string key="concept:name" value="unknown"/><string key="lifecycle:transition" value="unknown"/>' +
    '<date key="time:timestamp" value="1970-01-01T00:00:00.000Z"/></global>',
  '<classifier name="Activity" scope="event" keys="concept:name"/>',
  '<string key="lifecycle:model" value="standard"/>',
];

const isOfTask = ({ stream }: EventView): boolean => stream.startsWith('task-');

/** Tasks before all else, by stream, and in each stream in the order of the log. */
const placeOf = (event: EventView): string =>
  `${isOfTask(event) ? 0 : 1}${JSON.stringify(event.stream)}\t${event.position.padStart(20, '0')}`;

function eventOf(event: EventView): string {
  const { id, type, recordedAt, data, envelope, stream } = event;
  const worker = data['worker'];
  return [
    '<event>',
    textOf('concept:name', type),
    textOf('lifecycle:transition', TRANSITIONS[type] ?? 'unknown'),
    `<date key="time:timestamp" value="${recordedAt}"/>`,
    textOf('org:resource', typeof worker === 'string' ? worker : (envelope.actor ?? 'unknown')),
    `<id key="identity:id" value="${escaped(id)}"/>`,
    ...(isOfTask(event) ? [] : [textOf('event.stream', stream)]),
    ...attributesOf(event).map(({ name, type: of, value }) =>
      elementOf(TAGS[of], name.replaceAll(/[^\w.-]/g, '_'), value),
    ),
    '</event>',
  ].join('');
}

const textOf = (key: string, value: string): string => elementOf('string', key, value);

const elementOf = (tag: string, key: string, value: string): string =>
  `<${tag} key="${key}" value="${escaped(value)}"/>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to say most control characters, nor halves of pairs. Line breaks in an attribute would be read as spaces. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '�')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
