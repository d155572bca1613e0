import cronstrue from 'cronstrue';
import type { Rejection } from '../../application/kernel/application-error.js';
import { nextOccurrences } from '../../application/kernel/cron.js';
import type { IsoTime, Json } from '../../domain/kernel/json.js';
import type { TriggerDefinition, TriggeredTask } from '../../domain/trigger/trigger.events.js';
import type { TriggerRow } from '../../projections/triggers/triggers.queries.js';
import type { TriggerDefinition as Asked } from '../dto/trigger.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { problemOfRejection } from '../problems/problem.js';

/** The members that belong to each kind of trigger. */
const KINDS = { cron: ['cron', 'timeZone', 'missed'], queue: ['queue', 'batchSize', 'every', 'leaseMs'] } as const;

type Kind = keyof typeof KINDS;

/** The definition in the form to store. Throws `InvalidInput` unless it says in one way when the trigger makes a task. */
export function definitionOf(asked: Asked): TriggerDefinition {
  const kind = kindOf(asked);
  const { description = '' } = asked;
  const common = { description, task: taskOf(asked.task) };
  if (kind === 'cron')
    return { cron: asked.cron!, timeZone: timeZoneOf(asked), missed: asked.missed ?? 'latest', ...common };
  const { queue, batchSize = 1, every = 30, leaseMs } = asked;
  return { queue: queue!, batchSize, every, ...(leaseMs !== undefined && { leaseMs }), ...common };
}

function kindOf(asked: Asked): Kind {
  const [kind, ...more] = (Object.keys(KINDS) as Kind[]).filter((one) => asked[one] !== undefined);
  if (kind === undefined) throw invalid('#', 'Expected a cron pattern or a queue, but there is neither');
  if (more.length > 0)
    throw invalid(`#/${more[0]!}`, `Expected either ${kind} or ${more.join(' or ')}, but there are both`);
  const foreign = Object.entries(KINDS).flatMap(([one, members]) => (one === kind ? [] : members));
  const stray = foreign.find((member) => asked[member] !== undefined);
  if (stray) throw invalid(`#/${stray}`, `Expected no ${stray} of a trigger with ${kind}, but there is one`);
  return kind;
}

function timeZoneOf({ timeZone }: Asked): string {
  if (timeZone === undefined)
    throw invalid('#/timeZone', 'Expected a cron pattern to have a time zone, but it has none');
  return timeZone;
}

const taskOf = ({ payload, ...work }: Asked['task']): TriggeredTask => ({
  ...work,
  ...(payload !== undefined && { payload: payload as Json }),
});

const invalid = (pointer: string, detail: string): InvalidInput => new InvalidInput([{ pointer, detail }]);

const SHOWN = 5;

/** What people see of a trigger: besides its row, when it fires in words, and the next times. */
export function triggerView({ next, failure, ...row }: TriggerRow, now: IsoTime) {
  return {
    ...row,
    words: inWords(row),
    next: next === null ? [] : timesFrom(row, next, now),
    failure: failure && { ...failure, problem: problemOfRejection(failure.problem as Rejection) },
  };
}

const timesFrom = (definition: TriggerDefinition, next: IsoTime, now: IsoTime): readonly IsoTime[] =>
  'cron' in definition ? [next, ...nextOccurrences(definition, next > now ? next : now, SHOWN - 1)] : [next];

const inWords = (definition: TriggerDefinition): string =>
  'cron' in definition ? patternInWords(definition.cron) : lookInWords(definition.queue, definition.every);

const lookInWords = (queue: string, every: number): string =>
  `If there are tasks in queue '${queue}', looked up every ${every === 1 ? 'second' : `${every} seconds`}`;

/** The library that describes patterns knows fewer forms than the one that reads them. */
function patternInWords(cron: string): string {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true });
  } catch {
    return cron;
  }
}
