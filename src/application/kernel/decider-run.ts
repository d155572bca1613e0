import { type Decider, type Decision, type DomainEvent, fold } from '../../domain/kernel/decider.js';
import type { CommandContext } from './command-context.js';
import { Refused } from './application-error.js';
import { Disputes } from './disputes.js';
import { envelopeOf } from './envelope.js';
import { type AppendItem, type AppendResult, type Envelope, type EventStore, NO_STREAM } from './event-store.port.js';
import { TermOver } from './leader-term.js';
import { newId } from './new-id.js';
import type { OutsidePayloads } from './outside-payloads.js';
import { Patience } from './patience.js';
import { type Loaded, type Outcome, type StreamCommand } from './stream-command.js';
import { UnreadableStream } from './unreadable-stream.js';

/** One call of `runMany`: its commands, which `onRefused` may replace, and their outcomes. */
export class Run<S, C, E extends DomainEvent, R> {
  readonly work: StreamCommand<S, C>[];
  readonly untouched: Loaded<S>;
  readonly patience = new Patience();
  private readonly disputes = new Disputes();
  /** The streams that cannot be read, whose rows in the index are wrong, or on whose events the rules broke. */
  readonly unreadable: UnreadableStream[] = [];
  /** The commands on which the rules broke, to be reported. */
  readonly broken: { readonly stream: string; readonly error: unknown }[] = [];
  private readonly envelopes = new Map<number | string | undefined, Envelope>();

  constructor(
    readonly decider: Decider<S, C, E, R>,
    work: readonly StreamCommand<S, C>[],
    readonly outcomes: Outcome<S, E, R>[],
    readonly context: CommandContext,
  ) {
    this.work = [...work];
    this.untouched = { state: decider.initialState, revision: NO_STREAM, position: 0n, fresh: true };
  }

  /** Where this run reads and appends: its unit of work, or else the store. */
  storeOr(store: EventStore): Pick<EventStore, 'readStreams' | 'append'> {
    return this.context.unit ?? store;
  }

  /**
   * Whether the stream's row in the index is found to be wrong. If not, the command must be decided again: the stream has moved on
   * or, at the expected revision, a claim has locked the task, also one that it does not take, for milliseconds.
   */
  conflicted(index: number, { revision: expected, fresh }: Loaded<S>, actual: number): boolean {
    if (actual === expected || !fresh) return false;
    const error = this.disputes.note({ stream: this.work[index]!.stream, expected, actual });
    if (error) this.putAside(index, error);
    return error !== null;
  }

  /** The stream cannot be read, so the command is answered with why. */
  putAside(index: number, error: UnreadableStream): void {
    this.unreadable.push(error);
    this.outcomes[index] = { kind: 'unreadable', error };
  }

  /** The rules broke on the command. */
  fail(index: number, { revision, position }: Loaded<S>, error: unknown): void {
    const { stream } = this.work[index]!;
    this.broken.push({ stream, error });
    if (revision !== NO_STREAM) this.unreadable.push(new UnreadableStream(stream, position, error));
    this.outcomes[index] = { kind: 'failed', error };
  }

  /** The state as an outcome carries it, without what only the rules need. */
  outline(state: S): S {
    return this.decider.outline?.(state) ?? state;
  }

  /** Returns one object for all events with the same envelope, so that a store serialises it once. */
  envelopeFor({ policyVersion, causationId, traceparent }: Within): Envelope {
    const isOwn = causationId !== undefined || traceparent !== undefined;
    const kind = isOwn ? `${policyVersion} ${causationId} ${traceparent}` : policyVersion;
    const known = this.envelopes.get(kind);
    if (known) return known;
    const context = {
      ...this.context,
      ...(causationId !== undefined && { causationId }),
      ...(traceparent !== undefined && { traceparent }),
    };
    const envelope = envelopeOf(context, policyVersion);
    this.envelopes.set(kind, envelope);
    return envelope;
  }
}

/** What distinguishes the envelopes of one run's commands. */
type Within = Pick<StreamCommand<never, never>, 'policyVersion' | 'causationId' | 'traceparent'>;

export interface Decided<S, E, R> {
  readonly index: number;
  readonly from: Loaded<S>;
  readonly decision: Decision<E, R>;
}

export type Accepted<S, E, R> = Decided<S, E, R> & {
  readonly decision: Extract<Decision<E, R>, { readonly kind: 'accepted' }>;
};

/** A decision that is not recorded. `item`: what would be appended; null if nothing would. */
export type Previewed<S, E, R> =
  | {
      readonly kind: 'decided';
      readonly from: S;
      readonly decision: Decision<E, R>;
      readonly to: S;
      readonly item: AppendItem | null;
    }
  | Extract<Outcome<S, E, R>, { readonly kind: 'unreadable' | 'failed' }>;

export function previewOf<S, C, E extends DomainEvent, R>(
  run: Run<S, C, E, R>,
  one: Decided<S, E, R>,
): Previewed<S, E, R> {
  const { from, decision } = one;
  const before = run.outline(from.state);
  if (decision.kind !== 'accepted') return { kind: 'decided', from: before, decision, to: before, item: null };
  const to = run.outline(fold(run.decider, decision.events, from.state));
  return { kind: 'decided', from: before, decision, to, item: itemOf(run, one as Accepted<S, E, R>) };
}

export type Stored = Extract<AppendResult, { readonly kind: 'appended' | 'duplicate' }>;

/** Leaves out commands that have their outcome, because their stream cannot be read or the rules broke on them. */
export async function decideAll<S, C, E extends DomainEvent, R>(
  run: Run<S, C, E, R>,
  indices: readonly number[],
  loaded: readonly (Loaded<S> | UnreadableStream)[],
): Promise<Decided<S, E, R>[]> {
  const decided: Decided<S, E, R>[] = [];
  for (let at = 0; at < indices.length; at++) {
    const index = indices[at]!;
    const from = loaded[at]!;
    if (from instanceof UnreadableStream) {
      run.unreadable.push(from);
      run.outcomes[index] = { kind: 'unreadable', error: from };
      continue;
    }
    const given = commandOf(run, index, from);
    const command = given instanceof Promise ? await given.catch(refusalIn) : given;
    if (command instanceof UnreadableStream) {
      run.outcomes[index] = { kind: 'unreadable', error: command };
      continue;
    }
    const decision = decisionOn(run, command, from);
    if (decision instanceof Broken) run.fail(index, from, decision.error);
    else decided.push({ index, from, decision });
  }
  return decided;
}

/** An error of the rules. It concerns one command, as a history that cannot be read does. */
class Broken {
  constructor(readonly error: unknown) {}
}

function commandOf<S, C, E extends DomainEvent, R>(
  { work }: Run<S, C, E, R>,
  index: number,
  { state, revision, position }: Loaded<S>,
): C | Promise<C> | Refused | Broken {
  const { command } = work[index]!;
  if (typeof command !== 'function') return command;
  try {
    return (command as (...from: [S, number, bigint]) => C | Promise<C>)(state, revision, position);
  } catch (error) {
    return error instanceof Refused ? error : new Broken(error);
  }
}

/** Before the rules are asked, the task's queue may not offer the command, or may be unreadable. */
function refusalIn(error: unknown): Refused | UnreadableStream {
  if (error instanceof Refused || error instanceof UnreadableStream) return error;
  throw error;
}

function decisionOn<S, C, E extends DomainEvent, R>(
  { decider }: Run<S, C, E, R>,
  command: C | Refused | Broken,
  { state }: Loaded<S>,
): Decision<E, R> | Broken {
  if (command instanceof Broken) return command;
  if (command instanceof Refused) return { kind: 'rejected', rejection: command.rejection as R };
  try {
    return decider.decide(command, state);
  } catch (error) {
    return new Broken(error);
  }
}

export function itemOf<S, C, E extends DomainEvent, R>(run: Run<S, C, E, R>, one: Accepted<S, E, R>): AppendItem {
  const work = run.work[one.index]!;
  const { stream, conditions, leaseSecret, leaseHolder } = work;
  const { events } = one.decision;
  const { term } = run.context;
  const envelope = run.envelopeFor(work);
  const given = typeof conditions === 'function' ? conditions(one.from.state) : conditions;
  return {
    stream,
    expected: one.from.revision,
    events: events.map((event) => ({ id: newId(), event, envelope })),
    conditions: term ? { ...given, leader: term } : given,
    ...(leaseSecret !== undefined && { leaseSecret }),
    ...(leaseHolder !== undefined && { leaseHolder }),
  };
}

/** Those that were accepted. The others get their outcomes. */
export function acceptedOf<S, C, E extends DomainEvent, R>(
  run: Run<S, C, E, R>,
  decided: readonly Decided<S, E, R>[],
): Accepted<S, E, R>[] {
  const accepted: Accepted<S, E, R>[] = [];
  for (const one of decided) {
    if (one.decision.kind === 'accepted') accepted.push(one as Accepted<S, E, R>);
    else run.outcomes[one.index] = settledWithout(run, one);
  }
  return accepted;
}

/** From how many bytes on a payload is stored outside the log; null: never. */
const limitOf = ({ policy }: UnderPolicy): number | null => policy?.payloadsOutsideAboveBytes ?? null;

export const takesPayloadsOut = (work: UnderPolicy): boolean => limitOf(work) !== null;

type UnderPolicy = Pick<StreamCommand<never, never>, 'policy'>;

/** With events that name a large payload in place of having it. Rejected if it cannot be stored. */
export async function withoutLargePayload<S, C, E extends DomainEvent, R>(
  run: Run<S, C, E, R>,
  one: Accepted<S, E, R>,
  payloads: OutsidePayloads,
): Promise<Decided<S, E, R>> {
  const work = run.work[one.index]!;
  const above = limitOf(work);
  if (above === null) return one;
  try {
    const events = (await payloads.takeOut(work.stream, one.decision.events, above)) as readonly E[];
    return { ...one, decision: { kind: 'accepted', events } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ...one, decision: { kind: 'rejected', rejection: error.rejection as R } };
  }
}

function settledWithout<S, C, E extends DomainEvent, R>(
  run: Run<S, C, E, R>,
  { decision, from }: Decided<S, E, R>,
): Outcome<S, E, R> {
  const at = { state: run.outline(from.state), position: from.position, revision: from.revision };
  return decision.kind === 'rejected'
    ? { kind: 'rejected', rejection: decision.rejection, ...at }
    : { kind: 'alreadyDone', ...at };
}

/** Whether the item has its outcome. If not, it must be decided again. Throws `TermOver` if another process leads. */
export async function turnedAway<S, C, E extends DomainEvent, R>(
  run: Run<S, C, E, R>,
  { index, from }: Accepted<S, E, R>,
  result: Exclude<AppendResult, Stored>,
): Promise<boolean> {
  const work = run.work[index]!;
  if (result.kind === 'conflict') return run.conflicted(index, from, result.actual);
  if (result.constraint === 'leader') throw new TermOver(run.context.term!);
  const instead = work.onRefused ? await work.onRefused(result) : null;
  if (instead) run.work[index] = { ...work, ...instead };
  else run.outcomes[index] = result;
  return instead === null;
}

/** Groups the indices so that no group contains a stream twice. Nearly always there is one group. */
export function turnsOf(work: readonly { readonly stream: string }[]): number[][] {
  const turns: number[][] = [];
  const times = new Map<string, number>();
  work.forEach(({ stream }, index) => {
    const turn = times.get(stream) ?? 0;
    times.set(stream, turn + 1);
    (turns[turn] ??= []).push(index);
  });
  return turns;
}
