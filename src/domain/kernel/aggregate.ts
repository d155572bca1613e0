import type { Decider, DomainEvent } from './decider.js';

/** What other layers know of one kind of aggregate, declared once. */
export interface Aggregate<Events, State, Command, Event extends DomainEvent, Rejection> {
  readonly events: Events;
  readonly decider: Decider<State, Command, Event, Rejection>;
  /** The stream of the aggregate with this id or name: a literal prefix and the id. */
  readonly streamOf: (id: string) => string;
  /**
   * What an append must hold beside the stream's revision: conditions on `others`, such as a free key or the number of
   * a batch's tasks, or none (`itself`).
   */
  readonly concerns: 'others' | 'itself';
}

export const aggregate = <Events, State, Command, Event extends DomainEvent, Rejection>(
  declared: Aggregate<Events, State, Command, Event, Rejection>,
): Aggregate<Events, State, Command, Event, Rejection> => declared;
