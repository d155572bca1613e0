import type { QueueView, SystemView } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { PLACE } from '../holds/hold-actions.js';
import { commandsOn, DEFINE } from '../queues/queue-actions.js';
import { drain, resume } from '../system/system-actions.js';
import { useSystem } from '../system/system.queries.js';
import { useMoment } from '../time/moment.js';
import { firstOf, useLive } from './live.js';

/** A command by its name, such as `Pause queue mail`. */
export interface NamedCommand {
  readonly subject: string;
  readonly action: Action;
}

interface Commanded {
  readonly system: SystemView | undefined;
  readonly queues: readonly QueueView[];
}

/** The most that are shown of those that match. */
const MOST = 6;

/** The most queues whose commands are found by their names. */
const MOST_QUEUES = 500;

/** The commands that the typed words name; none in the past. */
export function useCommands(typed: string): NamedCommand[] {
  const { data: system } = useSystem();
  const { data: queues = [] } = useLive(['commanded queues'], (waybill) =>
    firstOf(waybill.queues({ internal: false, limit: MOST_QUEUES }), MOST_QUEUES),
  );
  return useMoment() === undefined ? commandsNamed(typed, { system, queues }) : [];
}

/** The commands whose names have every typed word, those of the whole system first. */
export function commandsNamed(typed: string, { system, queues }: Commanded): NamedCommand[] {
  const words = typed.toLowerCase().split(/\s+/);
  if (typed === '') return [];
  const has = ({ action: { name }, subject }: NamedCommand): boolean =>
    words.every((word) => `${name} ${subject}`.toLowerCase().includes(word));
  return [...ofTheSystem(system), ...queues.flatMap(ofQueue)].filter(has).slice(0, MOST);
}

const ofTheSystem = (system: SystemView | undefined): NamedCommand[] => [
  ...(system ? [{ subject: 'the system', action: system.drain ? resume : drain(system) }] : []),
  { subject: 'with a policy', action: DEFINE },
  { subject: 'for tasks with labels', action: PLACE },
];

const ofQueue = (view: QueueView): NamedCommand[] =>
  commandsOn(view).map((action) => ({ subject: `queue ${view.name}`, action }));
