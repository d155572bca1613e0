import { Injectable, Logger, Optional } from '@nestjs/common';
import { type Decider, type DomainEvent, fold } from '../../domain/kernel/decider.js';
import type { CommandContext } from './command-context.js';
import {
  type Accepted,
  type Decided,
  acceptedOf,
  decideAll,
  itemOf,
  type Previewed,
  previewOf,
  Run,
  type Stored,
  turnedAway,
  takesPayloadsOut,
  turnsOf,
  withoutLargePayload,
} from './decider-run.js';
import { type AppendItem, EventStore } from './event-store.port.js';
import { logFinalFailure } from './final-failures.js';
import { OutsidePayloads, someAtOnce } from './outside-payloads.js';
import { Quarantine } from './quarantine.port.js';
import { StateCache } from './state-cache.js';
import { type Loaded, type Outcome, type StreamCommand, StreamContentionError } from './stream-command.js';
import { StreamLocks } from './stream-locks.js';
import { Tracing } from './tracing.port.js';
import type { UnreadableStream } from './unreadable-stream.js';
import { yieldToEventLoop } from './yield-to-event-loop.js';

/**
 * Loads, decides and appends; on a conflict it reloads and decides again. No other code contains this loop, and only
 * the claim source and the unit of work call `EventStore.append` beside it. Within a process, one command at a time is
 * in flight per stream.
 */
@Injectable()
export class DeciderRunner {
  private readonly logger = new Logger(DeciderRunner.name);
  private readonly states: StateCache;
  private readonly locks = new StreamLocks();

  constructor(
    private readonly store: EventStore,
    private readonly payloads: OutsidePayloads,
    @Optional() private readonly quarantine?: Quarantine,
    @Optional() private readonly tracing?: Tracing,
  ) {
    this.states = new StateCache(store);
  }

  /**
   * Throws `StreamContentionError` if the stream is contended, `UnreadableStream` if it cannot be read, and the error of
   * the rules if they broke.
   */
  async run<S, C, E extends DomainEvent, R>(
    decider: Decider<S, C, E, R>,
    work: StreamCommand<S, C>,
    context: CommandContext,
  ): Promise<Exclude<Outcome<S, E, R>, { readonly kind: 'contended' | 'unreadable' | 'failed' }>> {
    const [outcome] = await this.runMany(decider, [work], context);
    if (outcome!.kind === 'contended') throw new StreamContentionError(work.stream);
    if (outcome!.kind === 'unreadable' || outcome!.kind === 'failed') throw outcome!.error;
    return outcome!;
  }

  /**
   * Returns one outcome per command, in order; no failure affects another command. If a stream repeats, its commands
   * run one after the other.
   */
  async runMany<S, C, E extends DomainEvent, R>(
    decider: Decider<S, C, E, R>,
    work: readonly StreamCommand<S, C>[],
    context: CommandContext,
  ): Promise<readonly Outcome<S, E, R>[]> {
    const outcomes = new Array<Outcome<S, E, R>>(work.length);
    await yieldToEventLoop(work.length);
    for (const turn of turnsOf(work)) {
      // A new task needs no lock: nobody else knows its id, and if two commands create it, the store refuses one. Nor
      // does a command of a transaction, which appends to its unit of work, and has the turns of the whole.
      const shared = context.unit ? [] : turn.filter((index) => work[index]!.load !== 'new');
      const streams = shared.map((index) => work[index]!.stream);
      await this.alone(streams, () => this.runTurn(new Run(decider, work, outcomes, context), turn));
    }
    return outcomes;
  }

  /**
   * What `runMany` would decide by the streams as they are now, one per command, in order. Appends nothing, so conditions and
   * repeated streams are not looked at, and what cannot be read is not put aside. `mustRead`: whether what is at hand may lack
   * events that must not be overlooked.
   */
  async preview<S, C, E extends DomainEvent, R>(
    decider: Decider<S, C, E, R>,
    work: readonly StreamCommand<S, C>[],
    context: CommandContext,
    mustRead: boolean,
  ): Promise<readonly Previewed<S, E, R>[]> {
    const run = new Run<S, C, E, R>(decider, work, new Array<Outcome<S, E, R>>(work.length), context);
    const previews = new Array<Previewed<S, E, R>>(work.length);
    for (let rest = [...work.keys()]; rest.length > 0;) {
      const loaded = await this.states.load(run, rest, mustRead);
      for (const one of await decideAll(run, rest.slice(0, loaded.length), loaded))
        previews[one.index] = previewOf(run, one);
      rest = rest.slice(loaded.length);
    }
    return previews.map((one, at) => one ?? run.outcomes[at]!);
  }

  /** Does the work when it is its turn on each of the streams. It must not ask for further turns meanwhile. */
  async alone<T>(streams: readonly string[], work: () => Promise<T>): Promise<T> {
    const release = await this.locks.acquire(streams);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Puts the tasks of these streams aside, because they cannot be read, or nothing can be appended to them. */
  async setAside(streams: readonly UnreadableStream[]): Promise<void> {
    if (streams.length > 0) await this.quarantine?.add(streams);
  }

  /** Caches a state that the caller folded, so that the next command on the stream need not read it. */
  remember<S, C, E extends DomainEvent, R>(
    decider: Decider<S, C, E, R>,
    stream: string,
    loaded: Omit<Loaded<S>, 'fresh'>,
  ): void {
    this.states.keep(decider, stream, loaded);
  }

  private async runTurn<S, C, E extends DomainEvent, R>(run: Run<S, C, E, R>, turn: readonly number[]): Promise<void> {
    let open = turn;
    for (let isFirst = true; isFirst || (open.length > 0 && (await run.patience.again())); isFirst = false) {
      open = await this.decide(run, open, !isFirst);
    }
    for (const index of open) run.outcomes[index] = { kind: 'contended' };
  }

  /** Decides the commands in parts whose states fit into memory together, and returns the indices to decide again. */
  private async decide<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    indices: readonly number[],
    mustRead: boolean,
  ): Promise<readonly number[]> {
    const again: number[] = [];
    for (let rest = indices; rest.length > 0;) {
      const loaded = await this.states.load(run, rest, mustRead);
      again.push(...(await this.decidePart(run, rest.slice(0, loaded.length), loaded)));
      rest = rest.slice(loaded.length);
    }
    return again;
  }

  /**
   * Decides refusals again on a fresh read if they were based on a cached state. A refusal appends nothing, so no
   * conflict would reveal that the state was stale.
   */
  private async decidePart<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    part: readonly number[],
    loaded: readonly (Loaded<S> | UnreadableStream)[],
  ): Promise<readonly number[]> {
    const decided = await decideAll(run, part, loaded);
    const doubtful = decided.filter(isDoubtful);
    for (const { stream, error } of run.broken.splice(0))
      this.logger.error(`Expected to decide on a command for '${stream}', but: ${stackOf(error)}`);
    // Before the append, because an error after it would hide what was recorded.
    await this.setAside(run.unreadable.splice(0));
    if (doubtful.length === 0) return this.record(run, decided);
    const again = await this.record(
      run,
      decided.filter((one) => !isDoubtful(one)),
    );
    const indices = doubtful.map(({ index }) => index);
    return [...again, ...(await this.decide(run, indices, true))];
  }

  /** Appends what was accepted and returns the indices to decide again. */
  private async record<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    decided: readonly Decided<S, E, R>[],
  ): Promise<number[]> {
    const accepted = acceptedOf(run, decided);
    const toAppend = accepted.some(({ index }) => takesPayloadsOut(run.work[index]!))
      ? await this.withoutLargePayloads(run, accepted)
      : accepted;
    if (toAppend.length === 0) return [];
    await yieldToEventLoop(toAppend.length);
    const results = await this.append(
      run,
      toAppend.map((one) => itemOf(run, one)),
    );
    await yieldToEventLoop(toAppend.length);
    const again: number[] = [];
    for (let at = 0; at < results.length; at++) {
      const [one, result] = [toAppend[at]!, results[at]!];
      if (result.kind === 'appended' || result.kind === 'duplicate') this.conclude(run, one, result);
      else {
        this.states.forget(run.work[one.index]!.stream);
        // Awaited only on this path, because a promise for each item of a batch would cost as much as its decision.
        if (!(await turnedAway(run, one, result))) again.push(one.index);
      }
    }
    await this.setAside(run.unreadable.splice(0));
    return again;
  }

  private append<S, C, E extends DomainEvent, R>(run: Run<S, C, E, R>, items: readonly AppendItem[]) {
    const append = () => run.storeOr(this.store).append(items);
    if (!this.tracing) return append();
    return this.tracing.within(
      { name: 'append', kind: 'internal', attributes: { 'waybill.streams': items.length } },
      append,
    );
  }

  /** Refuses those whose payload cannot be stored. A preview stores none. */
  private async withoutLargePayloads<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    accepted: readonly Accepted<S, E, R>[],
  ): Promise<Accepted<S, E, R>[]> {
    if (run.context.unit?.isPreview) return [...accepted];
    const left = await someAtOnce(accepted, (one) => withoutLargePayload(run, one, this.payloads));
    return acceptedOf(run, left);
  }

  private conclude<S, C, E extends DomainEvent, R>(run: Run<S, C, E, R>, one: Accepted<S, E, R>, result: Stored): void {
    const { stream, load, traceparent = run.context.traceparent } = run.work[one.index]!;
    const { events } = one.decision;
    if (!run.context.unit) logFinalFailure({ stream, events, traceparent });
    const state = load === 'new' ? one.from.state : fold(run.decider, events, one.from.state);
    const { position, revision } = result;
    if (load === 'cached' && !run.context.unit) this.remember(run.decider, stream, { state, revision, position });
    else this.states.forget(stream);
    const recordedAt = result.kind === 'appended' ? result.recordedAt : '';
    run.outcomes[one.index] = { kind: 'accepted', events, state: run.outline(state), position, revision, recordedAt };
  }
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const isDoubtful = <S, E, R>({ decision, from }: Decided<S, E, R>): boolean =>
  decision.kind !== 'accepted' && !from.fresh;
