import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Decider, type Decision, type DomainEvent, fold } from '../../domain/kernel/decider.js';
import type { CommandContext } from './command-context.js';
import { envelopeOf } from './envelope.js';
import {
  type AppendItem,
  type AppendResult,
  type Envelope,
  EventStore,
  type AppendConditions,
  NO_STREAM,
  type Refusal,
} from './event-store.port.js';
import { newId } from './new-id.js';
import { yieldToEventLoop } from './yield-to-event-loop.js';
import { StreamLocks } from './stream-locks.js';

/** One command on one stream. `command` and `conditions` may be functions of the loaded state, where they depend on it. */
export interface StreamCommand<S, C> {
  readonly stream: string;
  readonly command: C | ((state: S) => C | Promise<C>);
  readonly conditions?: AppendConditions | ((state: S) => AppendConditions);
  /**
   * `new`: the stream is expected not to exist; nothing is read. `cached`: a state folded earlier will do (it has no payload).
   * `fresh`: read the stream.
   */
  readonly load: 'new' | 'cached' | 'fresh';
  readonly policyVersion?: number;
  /**
   * Asked when the append was refused by a constraint: what to decide instead, or null to hand the refusal to the caller.
   * Called at most `ATTEMPTS` times.
   */
  readonly onRefused?: (
    refusal: Refusal,
  ) => Promise<Partial<Pick<StreamCommand<S, C>, 'command' | 'conditions' | 'policyVersion'>> | null>;
}

export type Outcome<S, E, R> =
  | {
      readonly kind: 'accepted';
      readonly events: readonly E[];
      readonly state: S;
      readonly position: bigint;
      readonly revision: number;
      readonly recordedAt: string;
    }
  /** `position` is that of the stream's newest event. */
  | { readonly kind: 'alreadyDone'; readonly state: S; readonly position: bigint; readonly revision: number }
  | { readonly kind: 'rejected'; readonly rejection: R; readonly state: S }
  | ({ readonly kind: 'refused' } & Refusal)
  /** The stream changed under us `ATTEMPTS` times in a row. Nothing was recorded; the caller should come again later. */
  | { readonly kind: 'contended' };

/** A contended outcome of a command that stands alone. */
export class StreamContentionError extends Error {
  override readonly name = 'StreamContentionError';
  constructor(readonly stream: string) {
    super(`Expected to append to '${stream}', but it changed ${ATTEMPTS} times in a row`);
  }
}

export const ATTEMPTS = 3;

/** A folded state and where its stream stood. `fresh` states were read for this decision, so that a refusal can be believed. */
export interface Loaded<S> {
  readonly state: S;
  readonly revision: number;
  readonly position: bigint;
  readonly fresh: boolean;
}

/** Bytes one cached state is reckoned with; a keyed, running task grew the heap by 1,085 when 50,000 were kept. */
const STATE_BYTES = 1_200;
const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Load, decide, append; on a conflict reload and decide again. The only place this loop exists and the only caller of
 * `EventStore.append` beside the claim desk and the unit of work. One command is in flight per stream and process.
 */
@Injectable()
export class DeciderRunner {
  private readonly states = new LRUCache<string, Loaded<unknown>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: () => STATE_BYTES,
  });
  private readonly locks = new StreamLocks();

  constructor(private readonly store: EventStore) {}

  /** Throws `StreamContentionError` where the stream is contended. */
  async run<S, C, E extends DomainEvent, R>(
    decider: Decider<S, C, E, R>,
    work: StreamCommand<S, C>,
    context: CommandContext,
  ): Promise<Exclude<Outcome<S, E, R>, { readonly kind: 'contended' }>> {
    const [outcome] = await this.runMany(decider, [work], context);
    if (outcome!.kind === 'contended') throw new StreamContentionError(work.stream);
    return outcome!;
  }

  /** One outcome per work item, in order; a neighbour's failure touches nothing else. Streams may repeat: they run in turn. */
  async runMany<S, C, E extends DomainEvent, R>(
    decider: Decider<S, C, E, R>,
    work: readonly StreamCommand<S, C>[],
    context: CommandContext,
  ): Promise<readonly Outcome<S, E, R>[]> {
    const outcomes = new Array<Outcome<S, E, R>>(work.length);
    await yieldToEventLoop(work.length);
    for (const turn of turnsOf(work)) {
      // Nobody else has a command for a task that does not exist yet; should two make it, the store refuses one.
      const shared = turn.filter((index) => work[index]!.load !== 'new');
      const release = await this.locks.acquire(shared.map((index) => work[index]!.stream));
      try {
        await this.runTurn(new Run(decider, work, outcomes, context), turn);
      } finally {
        release();
      }
    }
    return outcomes;
  }

  /** Remembers a state that was folded elsewhere, so that the next command on the stream need not read it. */
  remember<S, C, E extends DomainEvent, R>(
    { lean }: Decider<S, C, E, R>,
    stream: string,
    { state, revision, position }: Omit<Loaded<S>, 'fresh'>,
  ): void {
    const kept = lean ? lean(state) : state;
    if (kept === null) this.states.delete(stream);
    else this.states.set(stream, { state: kept, revision, position, fresh: false });
  }

  private async runTurn<S, C, E extends DomainEvent, R>(run: Run<S, C, E, R>, turn: readonly number[]): Promise<void> {
    let open = turn;
    for (let attempt = 1; attempt <= ATTEMPTS && open.length > 0; attempt++) {
      const loaded = await this.load(run, open, attempt > 1);
      let decided = await decideAll(run, open, loaded);
      const doubtful = decided.filter(({ decision, from }) => decision.kind !== 'accepted' && !from.fresh);
      if (doubtful.length > 0) decided = await this.decideAgain(run, decided, doubtful);
      open = await this.record(run, decided);
    }
    for (const index of open) run.outcomes[index] = { kind: 'contended' };
  }

  /** A refusal decided on a cached state is decided again on a fresh read: no append would detect the staleness. */
  private async decideAgain<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    decided: readonly Decided<S, E, R>[],
    doubtful: readonly Decided<S, E, R>[],
  ): Promise<Decided<S, E, R>[]> {
    const indices = doubtful.map(({ index }) => index);
    const again = await decideAll(run, indices, await this.load(run, indices, true));
    const byIndex = new Map(again.map((one) => [one.index, one]));
    return decided.map((one) => byIndex.get(one.index) ?? one);
  }

  private async load<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    indices: readonly number[],
    mustRead: boolean,
  ): Promise<readonly Loaded<S>[]> {
    const loaded = new Array<Loaded<S>>(indices.length);
    const toRead: number[] = [];
    for (let at = 0; at < indices.length; at++) {
      const { stream, load } = run.work[indices[at]!]!;
      const cached = mustRead || load === 'fresh' || run.context.unit ? undefined : this.cached<S>(stream);
      if (load === 'new' && !mustRead) loaded[at] = run.untouched;
      else if (cached) loaded[at] = cached;
      else toRead.push(at);
    }
    if (toRead.length > 0) await this.read(run, indices, toRead, loaded);
    return loaded;
  }

  private cached<S>(stream: string): Loaded<S> | undefined {
    return this.states.get(stream) as Loaded<S> | undefined;
  }

  private async read<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    indices: readonly number[],
    toRead: readonly number[],
    loaded: Loaded<S>[],
  ): Promise<void> {
    const streams = await run.storeOr(this.store).readStreams(toRead.map((at) => run.work[indices[at]!]!.stream));
    toRead.forEach((at, which) => {
      const recorded = streams[which]!;
      const last = recorded[recorded.length - 1];
      const state = fold(
        run.decider,
        recorded.map(({ event }) => event as E),
      );
      loaded[at] = { state, revision: last?.revision ?? NO_STREAM, position: last?.position ?? 0n, fresh: true };
    });
  }

  /** Appends what was accepted; answers the indices that must be decided again. */
  private async record<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    decided: readonly Decided<S, E, R>[],
  ): Promise<number[]> {
    const toAppend: Accepted<S, E, R>[] = [];
    for (const one of decided) {
      if (one.decision.kind === 'accepted') toAppend.push(one as Accepted<S, E, R>);
      else run.outcomes[one.index] = settledWithout(one);
    }
    if (toAppend.length === 0) return [];
    await yieldToEventLoop(toAppend.length);
    const results = await run.storeOr(this.store).append(toAppend.map((one) => itemOf(run, one)));
    await yieldToEventLoop(toAppend.length);
    const again: number[] = [];
    for (let at = 0; at < results.length; at++) {
      const [one, result] = [toAppend[at]!, results[at]!];
      if (result.kind === 'appended' || result.kind === 'duplicate') this.conclude(run, one, result);
      // Awaited only here: a promise for each item of a batch would cost as much as the decision.
      else if (!(await this.turnedAway(run, one.index, result))) again.push(one.index);
    }
    return again;
  }

  private conclude<S, C, E extends DomainEvent, R>(run: Run<S, C, E, R>, one: Accepted<S, E, R>, result: Stored): void {
    const { stream, load } = run.work[one.index]!;
    const { events } = one.decision;
    const state = load === 'new' ? one.from.state : fold(run.decider, events, one.from.state);
    const { position, revision } = result;
    if (load === 'cached' && !run.context.unit) this.remember(run.decider, stream, { state, revision, position });
    else this.states.delete(stream);
    const recordedAt = result.kind === 'appended' ? result.recordedAt : '';
    run.outcomes[one.index] = { kind: 'accepted', events, state, position, revision, recordedAt };
  }

  /** Whether the item has its outcome; otherwise it is to be decided again. */
  private async turnedAway<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    index: number,
    result: Exclude<AppendResult, Stored>,
  ): Promise<boolean> {
    const work = run.work[index]!;
    this.states.delete(work.stream);
    if (result.kind === 'conflict') return false;
    const instead = work.onRefused ? await work.onRefused(result) : null;
    if (instead) run.work[index] = { ...work, ...instead };
    else run.outcomes[index] = result;
    return instead === null;
  }
}

/** One `runMany`: the work (which a refusal may replace), and where its outcomes go. */
class Run<S, C, E extends DomainEvent, R> {
  readonly work: StreamCommand<S, C>[];
  readonly untouched: Loaded<S>;
  private readonly envelopes = new Map<number | undefined, Envelope>();

  constructor(
    readonly decider: Decider<S, C, E, R>,
    work: readonly StreamCommand<S, C>[],
    readonly outcomes: Outcome<S, E, R>[],
    readonly context: CommandContext,
  ) {
    this.work = [...work];
    this.untouched = { state: decider.initialState, revision: NO_STREAM, position: 0n, fresh: true };
  }

  /** Where this run reads and appends: the unit of work that it is part of, or the store itself. */
  storeOr(store: EventStore): Pick<EventStore, 'readStreams' | 'append'> {
    return this.context.unit ?? store;
  }

  /** One object for all events of the same envelope, so that a store need turn it to text once. */
  envelopeFor(policyVersion: number | undefined): Envelope {
    const known = this.envelopes.get(policyVersion);
    if (known) return known;
    const envelope = envelopeOf(this.context, policyVersion);
    this.envelopes.set(policyVersion, envelope);
    return envelope;
  }
}

interface Decided<S, E, R> {
  readonly index: number;
  readonly from: Loaded<S>;
  readonly decision: Decision<E, R>;
}

type Accepted<S, E, R> = Decided<S, E, R> & {
  readonly decision: Extract<Decision<E, R>, { readonly kind: 'accepted' }>;
};

type Stored = Extract<AppendResult, { readonly kind: 'appended' | 'duplicate' }>;

async function decideAll<S, C, E extends DomainEvent, R>(
  run: Run<S, C, E, R>,
  indices: readonly number[],
  loaded: readonly Loaded<S>[],
): Promise<Decided<S, E, R>[]> {
  const decided: Decided<S, E, R>[] = [];
  for (let at = 0; at < indices.length; at++) {
    const index = indices[at]!;
    const from = loaded[at]!;
    const { command } = run.work[index]!;
    const given = typeof command === 'function' ? (command as (state: S) => C | Promise<C>)(from.state) : command;
    decided.push({
      index,
      from,
      decision: run.decider.decide(given instanceof Promise ? await given : given, from.state),
    });
  }
  return decided;
}

function itemOf<S, C, E extends DomainEvent, R>(run: Run<S, C, E, R>, one: Accepted<S, E, R>): AppendItem {
  const { stream, conditions, policyVersion } = run.work[one.index]!;
  const { events } = one.decision;
  const envelope = run.envelopeFor(policyVersion);
  return {
    stream,
    expected: one.from.revision,
    events: events.map((event) => ({ id: newId(), event, envelope })),
    conditions: typeof conditions === 'function' ? conditions(one.from.state) : conditions,
  };
}

function settledWithout<S, E, R>({ decision, from }: Decided<S, E, R>): Outcome<S, E, R> {
  return decision.kind === 'rejected'
    ? { kind: 'rejected', rejection: decision.rejection, state: from.state }
    : { kind: 'alreadyDone', state: from.state, position: from.position, revision: from.revision };
}

/** Indices grouped so that no group names a stream twice; nearly always one group. */
function turnsOf(work: readonly { readonly stream: string }[]): number[][] {
  const turns: number[][] = [];
  const times = new Map<string, number>();
  work.forEach(({ stream }, index) => {
    const turn = times.get(stream) ?? 0;
    times.set(stream, turn + 1);
    (turns[turn] ??= []).push(index);
  });
  return turns;
}
