import type { QueueView, SystemView } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { ofPage } from '../actions/of-page.js';
import { useOffer } from '../actions/offer.js';
import { PLACE } from '../holds/hold-actions.js';
import { commandsOn, DEFINE } from '../queues/queue-actions.js';
import { drain, resume } from '../system/system-actions.js';
import { useSystem } from '../system/system.queries.js';
import { enqueue } from '../tasks/enqueue-action.js';
import { firstOf, useLive } from './live.js';
import { useReadable } from './me.js';

/** A command by its name, such as `Pause queue mail`. */
export interface NamedCommand {
  readonly subject: string;
  readonly action: Action;
  /** The queue that it stays in. */
  readonly queue?: string;
}

interface Commanded {
  readonly system: SystemView | undefined;
  readonly queues: readonly QueueView[];
}

/** The most that are shown of those that match. */
const MOST = 6;

/** What can be done to what the page below is about: all of it as long as nothing is typed. */
export function commandsOfPage(typed: string): NamedCommand[] {
  const { actions = [], ...of } = ofPage() ?? { subject: '' };
  return actions.map((action) => ({ ...of, action })).filter(isNamedBy(typed));
}

/** The most queues whose commands are found by their names. */
const MOST_QUEUES = 500;

/** The commands that the typed words name and the person may give; none in the past. */
export function useCommands(typed: string): NamedCommand[] {
  const { data: system } = useSystem();
  const names = useReadable();
  const { data: queues = [] } = useLive(['commanded queues', names ?? 'all'], (waybill) =>
    names
      ? Promise.all(names.map((name) => waybill.queue(name).get()))
      : firstOf(waybill.queues({ internal: false, limit: MOST_QUEUES }), MOST_QUEUES),
  );
  const offers = useOffer();
  return commandsNamed(typed, { system, queues })
    .filter(({ action: { permission = 'operate' }, queue }) => offers({ permission, queue }))
    .slice(0, MOST);
}

/** The commands whose names have every typed word, those of the whole system first. */
export function commandsNamed(typed: string, { system, queues }: Commanded): NamedCommand[] {
  if (typed === '') return [];
  return [...ofTheSystem(system), ...queues.flatMap(ofQueue)].filter(isNamedBy(typed));
}

/** Whether its name has every typed word. */
function isNamedBy(typed: string): (command: NamedCommand) => boolean {
  const words = typed.toLowerCase().split(/\s+/);
  return ({ action: { name }, subject }) => words.every((word) => `${name} ${subject}`.toLowerCase().includes(word));
}

const ofTheSystem = (system: SystemView | undefined): NamedCommand[] => [
  ...(system ? [{ subject: 'the system', action: system.drain ? resume : drain(system) }] : []),
  { subject: 'with a policy', action: DEFINE },
  { subject: 'in a queue', action: enqueue() },
  { subject: 'for tasks with labels', action: PLACE },
];

const ofQueue = (view: QueueView): NamedCommand[] =>
  commandsOn(view).map((action) => ({ subject: `queue ${view.name}`, queue: view.name, action }));
