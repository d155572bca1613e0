/** How often something that is shown is asked for: while the service tells what changes, and otherwise. In milliseconds. */
export interface Pace {
  readonly told: number;
  readonly untold: number;
}

/** Of most things: nobody tells of what changes by the clock alone. */
export const LOOKS: Pace = { told: 60_000, untold: 3_000 };

/** Of what changes seldom or slowly. */
export const every = (ms: number): Pace => ({ told: ms, untold: ms });

/** Something that is asked for again and again. */
export interface Look {
  readonly pace: Pace;
  /** When it was answered last, in milliseconds. */
  readonly at: number;
}

/** What is asked for now: the one that is longest overdue, or all that are due of a service that tells nothing. */
export function dueOf<T extends Look>(looks: readonly T[], nowMs: number, isTold: boolean): readonly T[] {
  const lateness = ({ at, pace }: Look): number => nowMs - at - (isTold ? pace.told : pace.untold);
  const due = looks.filter((look) => lateness(look) >= 0);
  return isTold ? due.toSorted((one, other) => lateness(other) - lateness(one)).slice(0, 1) : due;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { readonly pace?: Pace | undefined };
  }
}
