import type { BulkOptions, TaskDetails, TaskFilter } from '@waybill/client';
import { nearestTo, plural } from '@waybill/client/words';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { atLeastOne, label, position, seconds, share } from '../arguments.js';
import { NotDone } from '../problems.js';
import type { Session } from '../session.js';
import { showPreview } from './previewed.js';

/** The commands that `waybill.operate` gives to many tasks. */
export const FOR_MANY = ['retry', 'cancel', 'abort', 'hold', 'release', 'prioritise', 'delete', 'runAgain'] as const;
export type ForMany = (typeof FOR_MANY)[number];

export interface ManyOptions {
  readonly filter?: TaskFilter;
  readonly preview?: true;
  readonly asPreviewed?: string;
  readonly yes?: true;
  readonly reason?: string;
  readonly priority?: number;
  readonly perSecond?: number;
  readonly canary?: number;
  readonly goOnIf?: number;
  readonly within?: number;
  readonly payload?: unknown;
  readonly fromStep?: string;
  readonly queue?: string;
}

/** The commands after which tasks run, so that a few can be tried first. */
const TRIED: readonly string[] = ['retry', 'release'];

const FIELDS = [
  'q',
  'queue',
  'state',
  'key',
  'reference',
  'kind',
  'label',
  'worker',
  'step',
  'batch',
  'group',
  'policyVersion',
  'decidedSince',
  'decidedUntil',
];

export function addManyOptions(command: Command): void {
  const filter = new Option(
    '--filter <field=value>',
    "instead of ids: all tasks that match, such as 'state=failed,held', also by a search as q=TEXT; can be repeated",
  );
  command.addOption(filter.argParser(withField));
  command.option('--preview', 'only show what would become of the tasks');
  const asPreviewed = new Option(
    '--as-previewed <position>',
    'with --filter: leave tasks alone that changed after a preview',
  );
  command.addOption(asPreviewed.argParser(position));
  command.option('--yes', 'with --filter: do not ask for confirmation');
  command.option('--per-second <n>', 'with --filter: give the command to at most n tasks a second', atLeastOne);
  if (!TRIED.includes(command.name())) return;
  command.option('--canary <n>', 'with --filter: try n tasks first, and go on if enough of them succeed', atLeastOne);
  command.option('--go-on-if <share>', 'with --canary: the share of them that must succeed (default: 0.8)', share);
  command.option('--within <seconds>', 'with --canary: how long to wait for their ends (default: 600)', seconds);
}

function canaryOf({ canary: first, goOnIf = 0.8, within }: ManyOptions): Pick<BulkOptions, 'canary'> {
  if (first === undefined) return {};
  return { canary: { first, goOnIf, ...(within !== undefined && { withinMs: within * 1_000 }) } };
}

/** In what the second runs differ from the first. */
function againOf({ payload, fromStep, queue }: ManyOptions): Pick<BulkOptions, 'again'> {
  const isAsFirst = payload === undefined && fromStep === undefined && queue === undefined;
  return isAsFirst ? {} : { again: { payload, fromStep, queue } };
}

/** Adds one field to the filter, such as `queue=orders` or `label=team=blue`. */
function withField(given: string, before: TaskFilter = {}): TaskFilter {
  const [field, ...rest] = given.split('=');
  const value = rest.join('=');
  if (!FIELDS.includes(field!)) throw new InvalidArgumentError(noField(field!));
  if (value === '') throw new InvalidArgumentError(`Expected a value after '${field}=', such as '${field}=orders'.`);
  if (field! in before) throw new InvalidArgumentError(`Expected one ${field}, but got two.`);
  return { ...before, [field!]: valueOf(field!, value) };
}

function valueOf(field: string, value: string): unknown {
  if (field === 'label') return labelOf(value);
  return field === 'policyVersion' ? atLeastOne(value) : value;
}

function noField(given: string): string {
  const nearest = nearestTo(given, FIELDS);
  return `Expected one of the fields ${FIELDS.join(', ')}.${nearest === null ? '' : `\n(Did you mean ${nearest}?)`}`;
}

function labelOf(given: string): NonNullable<TaskFilter['label']> {
  const [name, value] = label(given);
  return { name, value };
}

/** A filter has one state. Several are a term of its search. */
function inOneOfItsStates(filter: TaskFilter): TaskFilter {
  const { state, q, ...others } = filter;
  if (!state?.includes(',')) return filter;
  return { ...others, q: [q, `state:${state}`].filter(Boolean).join(' ') };
}

/** Gives the command to all tasks that match, once somebody has confirmed their number, and waits for the end. */
export async function operateOnMany(session: Session, verb: ForMany, options: ManyOptions): Promise<void> {
  const { waybill } = session;
  const { preview, asPreviewed, yes, reason, priority, perSecond } = options;
  const which = { filter: inOneOfItsStates(options.filter!) };
  if (preview) return showPreview(session, verb, which, options);
  const { count } = await waybill.operate(verb, which, { preview: true, priority });
  // If nothing matches there is nothing to confirm, and the service says so.
  if (!yes && count > 0)
    await confirm(session, `${verb === 'runAgain' ? 'run again' : verb} ${plural(count, 'task')}?`);
  const more = { reason, priority, perSecond, asPreviewed, ...canaryOf(options), ...againOf(options) };
  const { id } = await waybill.operate(verb, which, more);
  await followOperation(session, id!);
}

/** Shows how far the operation is until it has ended, and then what was refused. */
export async function followOperation(session: Session, id: string): Promise<void> {
  await tellEnd(session, await endOfOperation(session, id));
}

/** The operation's task once it has ended. */
export function endOfOperation(session: Session, id: string): Promise<TaskDetails> {
  session.printer.note(`Operation ${id} has begun. 'waybill task cancel ${id}' stops it.`);
  return end(session, id);
}

export const notSucceeded = ({ id, state, error }: TaskDetails): NotDone =>
  new NotDone(`The operation is ${state}${error ? `: ${error.message}` : ''}. See 'waybill task show ${id}'.`);

export async function confirm({ stdin, printer }: Session, question: string): Promise<void> {
  printer.note(`${question} [y/N]`);
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) {
      if (/^y(es)?$/i.test(line.trim())) return;
      break;
    }
  } finally {
    lines.close();
  }
  throw new NotDone("Nothing was changed. Answer 'y', or use --yes.");
}

const LOOK_MS = 500;

/** The operation's task once it has ended. Prints how far it is meanwhile. */
async function end({ waybill, printer }: Session, id: string): Promise<TaskDetails> {
  for (let said = ''; ; await pause(LOOK_MS)) {
    const task: TaskDetails = await waybill.task(id).get();
    if (task.finishedAt !== null) return task;
    const now = task.progress.map(({ title, position, end: of }) => `${position} of ${of} ${title}`).join(', ');
    if (now !== '' && now !== said) printer.note(now);
    said = now;
  }
}

interface Result {
  readonly asked: number;
  readonly done: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly examples: readonly { readonly task: string; readonly code: string }[];
}

async function tellEnd({ printer }: Session, task: TaskDetails): Promise<void> {
  const { id, state } = task;
  const found = task.result as Result | null;
  if (state !== 'succeeded' || found === null) throw notSucceeded(task);
  const { asked, done, refused, examples } = found;
  await printer.show({ id, ...found }, (paint) => [`${paint.green('✓')} ${done} of ${plural(asked, 'task')}`]);
  for (const [code, times] of Object.entries(refused))
    printer.note(`✗ ${times}  ${code}, such as ${examples.find((one) => one.code === code)?.task ?? 'others'}`);
  if (done < asked) throw new NotDone(`${asked - done} of ${plural(asked, 'task')} refused it.`);
}
