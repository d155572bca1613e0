import type { EventView } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';
import { type Attribute, attributesIn, attributesOf, type AttributeType, widened } from './attributes.js';
import type { EventFormat } from './event-format.js';
import { type NamedObject, objectsIn } from './ocel-objects.js';
import type { SortedLines } from './sorted-lines.js';

interface Relationship {
  readonly objectId: string;
  readonly qualifier: string;
}

/** What one event says of an object. */
interface Said {
  readonly type: string;
  readonly attributes: readonly (Attribute & { readonly time: string })[];
  readonly relationships: readonly Relationship[];
}

/**
 * OCEL 2.0 in its JSON format. Events are written as they come. What they say of objects waits in the order of the objects'
 * ids, and follows with the types, which are known at the end. Values are texts, as the schema has them; their types say what they are.
 */
export const ocel2: EventFormat = async function* (events, { sorted }) {
  const [eventTypes, objectTypes, lines] = [new Types(), new Types(), sorted()];
  const said = new SaidOfObjects(lines);
  yield '{"events":[';
  let comma = '';
  for await (const event of events) {
    const attributes = attributesOf(event);
    const objects = objectsIn(event);
    eventTypes.take(event.type, attributes);
    await said.take(event, objects);
    yield comma + jsonLine(eventOf(event, attributes, objects));
    comma = ',';
  }
  yield '],"objects":[';
  comma = '';
  for await (const [id, object] of objectsOf(lines)) {
    objectTypes.take(object.type, object.attributes);
    yield comma + jsonLine({ id, ...object, attributes: object.attributes.map(timed) });
    comma = ',';
  }
  yield `],"eventTypes":${jsonLine(eventTypes.list())},"objectTypes":${jsonLine(objectTypes.list())}}`;
};

const eventOf = (
  { id, type, recordedAt }: EventView,
  attributes: readonly Attribute[],
  objects: readonly NamedObject[],
) => ({
  id,
  type,
  time: recordedAt,
  attributes: attributes.map(({ name, value }) => ({ name, value })),
  relationships: objects.map(({ id: objectId, qualifier }) => ({ objectId, qualifier })),
});

const timed = ({ name, value, time }: Said['attributes'][number]) => ({ name, value, time });

/** Objects whose last event is remembered. */
const REMEMBERED = 100_000;

/** Keeps what events say of objects. */
class SaidOfObjects {
  /** By the id of an object, what the last event said of it, but for the time: the same again changes nothing. */
  private readonly last = new Map<string, string>();

  constructor(private readonly lines: SortedLines) {}

  async take(event: EventView, objects: readonly NamedObject[]): Promise<void> {
    for (const object of objects) {
      const { id, type, belongsTo = [] } = object;
      const attributes = object.attributes ? attributesIn(object.attributes) : [];
      const relationships = objects
        .filter(({ qualifier }) => belongsTo.includes(qualifier))
        .map(({ id: objectId, qualifier }) => ({ objectId, qualifier }));
      const text = JSON.stringify([attributes, relationships]);
      if (this.last.get(id) === text) continue;
      if (this.last.size >= REMEMBERED) this.last.clear();
      this.last.set(id, text);
      const timed = attributes.map((one) => ({ ...one, time: event.recordedAt }));
      await this.lines.add(lineOf(id, event.position, { type, attributes: timed, relationships }));
    }
  }
}

/** It begins with the object's id, then the position of the event. */
const lineOf = (id: string, position: string, said: Said): string =>
  `${JSON.stringify(id)}\t${position.padStart(20, '0')}\t${jsonLine(said)}`;

async function* objectsOf(lines: SortedLines): AsyncGenerator<readonly [id: string, object: Said]> {
  let open: readonly [string, Said] | null = null;
  for await (const line of lines.inOrder()) {
    const [id = '', , text = ''] = line.split('\t');
    const said = JSON.parse(text) as Said;
    if (open?.[0] === id) open = [id, together(open[1], said)];
    else {
      if (open) yield [JSON.parse(open[0]) as string, open[1]];
      open = [id, said];
    }
  }
  if (open) yield [JSON.parse(open[0]) as string, open[1]];
}

function together(one: Said, later: Said): Said {
  const changed = later.attributes.filter(
    ({ name, value }) => one.attributes.findLast((known) => known.name === name)?.value !== value,
  );
  const fresh = later.relationships.filter(
    (added) =>
      !one.relationships.some((known) => known.objectId === added.objectId && known.qualifier === added.qualifier),
  );
  if (changed.length === 0 && fresh.length === 0) return one;
  return {
    type: one.type,
    attributes: [...one.attributes, ...changed],
    relationships: [...one.relationships, ...fresh],
  };
}

/** Which attributes the events or objects of each type have. */
class Types {
  private readonly types = new Map<string, Map<string, AttributeType>>();

  take(type: string, attributes: readonly Attribute[]): void {
    const known = this.types.get(type) ?? new Map<string, AttributeType>();
    this.types.set(type, known);
    for (const { name, type: given } of attributes) known.set(name, widened(known.get(name) ?? given, given));
  }

  list() {
    return Array.from(this.types, ([name, known]) => ({
      name,
      attributes: Array.from(known, ([attribute, type]) => ({ name: attribute, type })),
    }));
  }
}
