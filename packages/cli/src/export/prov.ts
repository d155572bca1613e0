import type { EventView } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';
import { type Attempt, Attempts, type AttemptStep } from './attempts.js';
import type { EventFormat } from './event-format.js';
import type { SortedLines } from './sorted-lines.js';

/** A statement of a document, or a part of one: those of the same section and id are one. */
interface Statement {
  readonly section: string;
  readonly id: string;
  readonly says: Readonly<Record<string, unknown>>;
}

const PREFIX = { waybill: 'urn:waybill:', xsd: 'http://www.w3.org/2001/XMLSchema#' };

/**
 * PROV-JSON: attempts are activities, actors and workers agents, tasks, results and batches entities. A document has each thing once, so what
 * the events say waits in the order of sections and ids.
 */
export const prov: EventFormat = async function* (events, { sorted }) {
  const [statements, attempts] = [sorted(), new Attempts()];
  for await (const event of events) await keep(statements, event, saidBy(event, attempts.step(event)));
  yield `{"prefix":${jsonLine(PREFIX)}`;
  let open: string | null = null;
  for await (const { section, id, says } of together(statements)) {
    const comma = section === open ? ',' : `${open === null ? '' : '}'},${jsonLine(section)}:{`;
    open = section;
    yield `${comma}${jsonLine(id)}:${jsonLine(says)}`;
  }
  yield open === null ? '}' : '}}';
};

const isOfTask = ({ stream }: EventView): boolean => stream.startsWith('task-');

function saidBy(event: EventView, step: AttemptStep | null): readonly Statement[] {
  const actor = { section: 'agent', id: named('actor', event.envelope.actor ?? 'unknown'), says: {} };
  if (!isOfTask(event)) return [actor];
  return [actor, ...ofTask(event, actor.id), ...(step === null ? [] : ofAttempt(event, step))];
}

function ofTask(event: EventView, actor: string): readonly Statement[] {
  const { stream, revision, data } = event;
  const task = named('', stream);
  const { queue, kind, batch, rerunOf } = data as Readonly<Record<string, unknown>>;
  const says = {
    'prov:type': 'Task',
    ...(typeof queue === 'string' && { 'waybill:queue': queue }),
    ...(typeof kind === 'string' && { 'waybill:kind': kind }),
  };
  const again = (rerunOf as { readonly task?: string } | undefined)?.task;
  return [
    { section: 'entity', id: task, says },
    ...(revision === 0 ? [relation(event, 'wasAttributedTo', { 'prov:entity': task, 'prov:agent': actor })] : []),
    ...(typeof batch === 'string' ? ofBatch(event, named('', `batch-${batch}`), task) : []),
    ...(again === undefined ? [] : derived(event, task, named('', `task-${again}`))),
  ];
}

const ofBatch = (event: EventView, batch: string, task: string): readonly Statement[] => [
  { section: 'entity', id: batch, says: { 'prov:type': { $: 'prov:Collection', type: 'xsd:QName' } } },
  relation(event, 'hadMember', { 'prov:collection': batch, 'prov:entity': task }),
];

const derived = (event: EventView, made: string, of: string): readonly Statement[] => [
  { section: 'entity', id: of, says: {} },
  relation(event, 'wasDerivedFrom', { 'prov:generatedEntity': made, 'prov:usedEntity': of }),
];

function ofAttempt(event: EventView, step: AttemptStep): readonly Statement[] {
  const { attempt } = step;
  const activity = activityOf(attempt);
  const task = named('', attempt.stream);
  if (step.at === 'start') {
    const worker = named('worker', attempt.worker);
    const says = {
      'prov:startTime': event.recordedAt,
      'waybill:attempt': attempt.attempt,
      'waybill:queue': attempt.queue,
    };
    return [
      { section: 'activity', id: activity, says },
      { section: 'agent', id: worker, says: { 'prov:type': { $: 'prov:SoftwareAgent', type: 'xsd:QName' } } },
      relation(event, 'wasAssociatedWith', { 'prov:activity': activity, 'prov:agent': worker }),
      relation(event, 'used', { 'prov:activity': activity, 'prov:entity': task, 'prov:time': event.recordedAt }),
    ];
  }
  const ended = {
    section: 'activity',
    id: activity,
    says: { 'prov:endTime': event.recordedAt, 'waybill:outcome': step.outcome },
  };
  return step.outcome === 'succeeded' ? [ended, ...resultOf(event, activity, task)] : [ended];
}

function resultOf(event: EventView, activity: string, task: string): readonly Statement[] {
  const result = named('result', event.id);
  const value = event.data['result'];
  const says = { 'prov:type': 'Result', ...(value !== undefined && { 'prov:value': jsonLine(value) }) };
  return [
    { section: 'entity', id: result, says },
    relation(event, 'wasGeneratedBy', {
      'prov:entity': result,
      'prov:activity': activity,
      'prov:time': event.recordedAt,
    }),
    ...derived(event, result, task),
  ];
}

const activityOf = ({ stream, token }: Attempt): string => named('attempt', `${stream}-${token}`);

const relation = ({ id }: EventView, section: string, says: Statement['says']): Statement => ({
  section,
  id: `_:${section}-${id}`,
  says,
});

/** A qualified name. Its local part has no character that ends it. */
const named = (kind: string, name: string): string =>
  `waybill:${kind && `${kind}-`}${encodeURIComponent(name.replaceAll(/\p{Cs}/gu, '�'))}`;

async function keep(lines: SortedLines, { position }: EventView, statements: readonly Statement[]): Promise<void> {
  for (const { section, id, says } of statements)
    await lines.add(`${section}\t${id}\t${position.padStart(20, '0')}\t${jsonLine(says)}`);
}

async function* together(lines: SortedLines): AsyncGenerator<Statement> {
  let open = null as Statement | null;
  for await (const line of lines.inOrder()) {
    const [section = '', id = '', , text = '{}'] = line.split('\t');
    const says = JSON.parse(text) as Statement['says'];
    const isSame: boolean = open?.section === section && open.id === id;
    if (open && !isSame) yield open;
    open = { section, id, says: isSame ? { ...open!.says, ...says } : says };
  }
  if (open) yield open;
}
