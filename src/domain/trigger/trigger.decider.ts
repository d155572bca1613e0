import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { type IsoTime, sameContent } from '../kernel/json.js';
import { allOf, keptBy, type OpenOccurrences } from './open-occurrences.js';
import type { EventOutcome, TriggerCommand, TriggerCommandOf } from './trigger.commands.js';
import type { Firing, FiringProblem, LeftOut, Skipped, TriggerDefinition, TriggerEvent } from './trigger.events.js';
import type { TriggerRejection } from './trigger.rejections.js';
import { evolveTrigger, type KnownTrigger, type TriggerState } from './trigger.state.js';

type TriggerDecision = Decision<TriggerEvent, TriggerRejection>;

/** One trigger, which makes tasks: at times, or of what waits in a queue. */
export const triggerDecider: Decider<TriggerState, TriggerCommand, TriggerEvent, TriggerRejection> = {
  initialState: { status: 'unknown' },
  evolve: evolveTrigger,
  decide: (command, state) => {
    if (command.type === 'DefineTrigger') return define(command, state);
    if (!('definition' in state)) return withoutTrigger(command, state);
    switch (command.type) {
      case 'EnableTrigger':
        return enable(command, state);
      case 'DisableTrigger':
        return disable(command, state);
      case 'DeleteTrigger':
        return remove(command);
      case 'RecordManualFiring':
        return recordManualFiring(command, state);
      case 'RecordEvents':
        return recordEvents(command, state);
      case 'DropEvents':
        return dropEvents(command, state);
      default:
        return isOf(command, state) ? accept<TriggerEvent>(whatCameOf(command, state)) : alreadyDone;
    }
  },
};

/** Only a person's command expects the trigger to exist. */
function withoutTrigger({ type, trigger }: TriggerCommand, { status }: TriggerState): TriggerDecision {
  if (type === 'DeleteTrigger' && status === 'deleted') return alreadyDone;
  return reject({ code: 'TRIGGER_NOT_FOUND', trigger });
}

/** A changed definition keeps a disabled trigger disabled. */
function define(
  { trigger, definition, next: first, open, head }: TriggerCommandOf<'DefineTrigger'>,
  state: TriggerState,
): TriggerDecision {
  const begin = beginsToTell(definition, state) ? { changesAfter: head } : {};
  if (!('definition' in state))
    return accept<TriggerEvent>({
      type: 'TriggerDefined',
      version: 1,
      data: { trigger, definition, next: first, ...begin },
    });
  if (sameContent(definition, state.definition)) return alreadyDone;
  const kept = state.status === 'enabled' ? keptBy(definition, { first, open }, state) : { next: null };
  const data = { trigger, definition, ...kept, ...begin };
  return accept<TriggerEvent>({ type: 'TriggerChanged', version: 1, data });
}

/** A trigger that told changes before goes on where it was. */
const beginsToTell = (definition: TriggerDefinition, state: TriggerState): boolean =>
  'changes' in definition && !('definition' in state && 'changes' in state.definition);

function enable({ trigger, next }: TriggerCommandOf<'EnableTrigger'>, { status }: KnownTrigger): TriggerDecision {
  if (status === 'enabled') return alreadyDone;
  return accept<TriggerEvent>({ type: 'TriggerEnabled', version: 1, data: { trigger, next } });
}

function disable({ trigger, open }: TriggerCommandOf<'DisableTrigger'>, { status }: KnownTrigger): TriggerDecision {
  if (status === 'disabled') return alreadyDone;
  return accept<TriggerEvent>({ type: 'TriggerDisabled', version: 1, data: { trigger, ...dropping(open) } });
}

const remove = ({ trigger, open }: TriggerCommandOf<'DeleteTrigger'>): TriggerDecision =>
  accept<TriggerEvent>({ type: 'TriggerDeleted', version: 1, data: { trigger, ...dropping(open) } });

const dropping = (open: OpenOccurrences | null): { readonly dropped?: LeftOut } =>
  open ? { dropped: allOf(open) } : {};

function recordManualFiring(
  { trigger, firing, at }: TriggerCommandOf<'RecordManualFiring'>,
  { last }: KnownTrigger,
): TriggerDecision {
  if (last?.task === firing.task) return alreadyDone;
  return accept<TriggerEvent>({ type: 'TriggerFired', version: 1, data: { trigger, firings: [firing], at } });
}

/**
 * Whoever followed the log before may have recorded some of them. Neighbours that fired are one event; each refusal stands
 * alone.
 */
function recordEvents(
  { trigger, outcomes, at }: TriggerCommandOf<'RecordEvents'>,
  state: KnownTrigger,
): TriggerDecision {
  const open = outcomes.flatMap((outcome) => toRecord(outcome, state));
  if (open.length === 0) return alreadyDone;
  let { failures } = state;
  const events = runsOf(open).map((run): TriggerEvent => {
    const [first] = run;
    failures = 'problem' in first! ? failures + 1 : 0;
    if ('problem' in first!) return { type: 'TriggerGaveUp', version: 1, data: { trigger, ...first, failures } };
    return { type: 'TriggerFired', version: 1, data: { trigger, firings: run as readonly Firing[], at } };
  });
  return accept(...events);
}

/** A late one leaves the trigger where it is: it fires like by hand, and gives up where it stands. */
function toRecord({ isLate, ...outcome }: EventOutcome, { upTo }: KnownTrigger): readonly Recorded[] {
  if (isAfter(outcome.position, upTo)) return [outcome];
  if (!isLate) return [];
  if ('problem' in outcome) return [{ ...outcome, position: upTo! }];
  const { position: _, ...firing } = outcome;
  return [firing];
}

function dropEvents(
  { trigger, position, dropped }: TriggerCommandOf<'DropEvents'>,
  state: KnownTrigger,
): TriggerDecision {
  if (!isAfter(position, state.upTo)) return alreadyDone;
  const [occurrence, failures, problem] = [dropped.to, state.failures + 1, { code: 'TOO_MANY_OWED', ...dropped }];
  const data = { trigger, occurrence, position, failures, problem, ...inAll(dropped, state) };
  return accept<TriggerEvent>({ type: 'TriggerGaveUp', version: 1, data });
}

type Recorded = Firing | { readonly occurrence: IsoTime; readonly position: string; readonly problem: FiringProblem };

/** Those that leave the trigger where it is are no neighbours of others. */
function runsOf(outcomes: readonly Recorded[]): readonly (readonly Recorded[])[] {
  const runs: Recorded[][] = [];
  for (const one of outcomes) {
    const last = runs.at(-1);
    const isNext = last && 'task' in one && 'task' in last[0]! && 'position' in one === 'position' in last[0];
    if (isNext) last.push(one);
    else runs.push([one]);
  }
  return runs;
}

const isAfter = (position: string, upTo: string | null): boolean => upTo === null || BigInt(position) > BigInt(upTo);

type Came = TriggerCommandOf<'RecordFirings' | 'SkipOccurrence' | 'RecordFailure'>;

/** Whether nothing else was recorded since somebody looked: nobody dealt with the occurrence, or changed what it makes. */
const isOf = ({ from, definition }: Came, state: KnownTrigger): boolean =>
  state.next === from && sameContent(definition, state.definition);

function whatCameOf(command: Came, state: KnownTrigger): TriggerEvent {
  const { trigger, from: occurrence } = command;
  switch (command.type) {
    case 'RecordFirings': {
      const { firings, at, next, skipped } = command;
      const data = { trigger, firings, at, next, ...inAll(skipped, state) };
      return { type: 'TriggerFired', version: 1, data };
    }
    case 'SkipOccurrence': {
      const { next, skipped } = command;
      return { type: 'TriggerSkipped', version: 1, data: { trigger, occurrence, next, ...inAll(skipped, state) } };
    }
    case 'RecordFailure': {
      const { definition, failures } = state;
      const [count, { problem }] = [failures + 1, command];
      const data = { trigger, occurrence, failures: count, problem, retryAt: retryAt(definition, command.at, count) };
      return { type: 'TriggerFailed', version: 1, data };
    }
  }
}

const inAll = (now: LeftOut | undefined, { skipped }: KnownTrigger): { readonly skipped?: Skipped } =>
  now === undefined ? {} : { skipped: { ...now, total: (skipped?.total ?? 0) + now.count } };

const FIRST_RETRY_MS = 10_000;
const LAST_DOUBLING = 6;

const retryAt = (definition: TriggerDefinition, at: IsoTime, failures: number): IsoTime =>
  new Date(Date.parse(at) + retryMs(definition, failures)).toISOString();

/** An occurrence of a pattern is tried again after 10 s to 640 s, a poll of a queue after 2 to 64 of its intervals. */
const retryMs = (definition: TriggerDefinition, failures: number): number =>
  'queue' in definition
    ? definition.every * 1_000 * 2 ** Math.min(failures, LAST_DOUBLING)
    : FIRST_RETRY_MS * 2 ** Math.min(failures - 1, LAST_DOUBLING);
