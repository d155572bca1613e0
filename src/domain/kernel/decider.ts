/**
 * A decider: the whole write-side behaviour of one kind of stream, as plain functions.
 *
 * `decide` reads nothing but its arguments: times, random numbers and new ids arrive inside the command.
 * `evolve` reads nothing but its arguments and never refuses: a recorded event is a fact.
 */
export interface Decider<State, Command, Event extends DomainEvent, Rejection> {
  readonly initialState: State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (command: Command, state: State) => Decision<Event, Rejection>;
  /**
   * The state to cache, without what only fresh decisions read (payloads); null if it is not worth caching. If absent,
   * the whole state is cached.
   */
  readonly lean?: (state: State) => State | null;
  /** The state without payloads, which the outcomes of a large batch must not keep in memory. If absent, all of it. */
  readonly outline?: (state: State) => State;
}

/** A fact in the past tense. `type` and `version` are literals: once stored, they and the shape of `data` are permanent. */
export interface DomainEvent {
  readonly type: string;
  readonly version: number;
  readonly data: object;
}

export type Decision<Event, Rejection> =
  | { readonly kind: 'accepted'; readonly events: readonly Event[] }
  | { readonly kind: 'alreadyDone' }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export const accept = <E>(...events: readonly E[]): Decision<E, never> => ({ kind: 'accepted', events });

/** The effect of the command already holds. Nothing is recorded, and this is no error. */
export const alreadyDone: Decision<never, never> = { kind: 'alreadyDone' };

export const reject = <R>(rejection: R): Decision<never, R> => ({ kind: 'rejected', rejection });

/** The state after `events`, starting with `from` or with the initial state. */
export const fold = <S, C, E extends DomainEvent, R>(
  decider: Decider<S, C, E, R>,
  events: readonly E[],
  from: S = decider.initialState,
): S => events.reduce(decider.evolve, from);
