import type { EventView } from '@waybill/client';

/** What an event names, and as what. */
export interface NamedObject {
  readonly id: string;
  readonly type: string;
  readonly qualifier: string;
  /** What the event says of the object itself. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** The other objects of the event to which it belongs, by their qualifiers. */
  readonly belongsTo?: readonly string[];
}

/** Which members of an event's data are of its own object, and change with it. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  task: ['kind', 'priority', 'reference', 'description', 'deadlineAt'],
  queue: ['policyVersion', 'description'],
  batch: ['name', 'description'],
};

/** Members that name another object, and what they name. The member is the qualifier. */
const NAMED = Object.entries({
  queue: 'queue',
  batch: 'batch',
  plans: 'batch',
  task: 'task',
  planner: 'task',
  job: 'task',
  bySuccessOf: 'task',
  conflictingTaskId: 'task',
  worker: 'worker',
  operation: 'operation',
  undoes: 'operation',
});

/** All objects that an event names, each once by its qualifier: its own first, which is its `subject`. */
export function objectsIn(event: EventView): readonly NamedObject[] {
  const { data, envelope } = event;
  const named = NAMED.flatMap(([member, type]) => {
    const name = data[member];
    return typeof name === 'string' && name !== '' ? [objectOf(type, name, member)] : [];
  });
  const { correlationId } = envelope;
  const operation = correlationId ? [objectOf('operation', correlationId, 'caused by')] : [];
  return [subjectOf(event), ...named, ...keyIn(data), ...listedIn(data), ...operation].map((one) =>
    one.type === 'worker' ? { ...one, attributes: members(data, ['server', 'build']) } : one,
  );
}

function subjectOf({ stream, data }: EventView): NamedObject {
  const type = stream.slice(0, stream.indexOf('-'));
  const attributes = members(data, OWN[type] ?? []);
  return {
    id: stream,
    type,
    qualifier: 'subject',
    attributes,
    belongsTo: type === 'task' ? ['queue', 'batch', 'key'] : [],
  };
}

/** A key is one within its queue. */
const keyIn = ({ key, queue }: EventView['data']): readonly NamedObject[] =>
  typeof key === 'string' ? [objectOf('key', JSON.stringify([queue, key]), 'key')] : [];

const listedIn = ({ items, rerunOf }: EventView['data']): readonly NamedObject[] => {
  const again = typeof rerunOf === 'string' ? rerunOf : (rerunOf as { readonly task?: string } | undefined)?.task;
  const listed = Array.isArray(items)
    ? (items as readonly string[]).map((item) => objectOf('task', item, 'items'))
    : [];
  return again === undefined ? listed : [...listed, objectOf('task', again, 'rerunOf')];
};

/** Named as its stream, if it has one. */
const objectOf = (type: string, name: string, qualifier: string): NamedObject => ({
  id: `${type}-${name}`,
  type,
  qualifier,
});

const members = (data: EventView['data'], names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
