/**
 * What an event means to those who need not know it by its name. An effect holds of every event of its type, unless it says
 * what the data must say for it.
 */
export type EventEffect =
  /** The queue may have something to give out: a task came (back), its key came free, or a gate opened. */
  | 'offers-work'
  /** Tasks behind the task's key may go on. The event does not say whether its task has one. */
  | 'frees-key'
  /** The same where the data have a `key`; without, a place under the queue's limits is free, and nothing else. */
  | 'frees-named-key'
  /** The clock may have something to do earlier than was known. That data name a `dueAt` says so, too. */
  | 'changes-schedule'
  /** One more attempt of the queue failed in a row. */
  | 'extends-failure-streak'
  /** The count of failures in a row begins anew, unless a `verdict` is another than success. */
  | 'ends-failure-streak'
  /** The task waits, unless the data say that it is `heldBy` somebody, that its worker is to `continue`, or a `verdict` that ends it. */
  | 'begins-wait'
  /** The task waits no longer, and does not run either. */
  | 'ends-wait'
  /** A worker has the task. */
  | 'begins-run'
  /** The task is over, unless the `verdict` is to put it back: somebody may retry it. */
  | 'ends-task'
  /** Takes the place of an append that was announced and never came. Changes nothing else. */
  | 'fills-abandoned-place';

/** Effects that the data can have. */
type EffectOn<Data> = 'key' extends keyof Data ? EventEffect : Exclude<EventEffect, 'frees-named-key'>;

/** Turns the data of one stored version of an event into the next version's. */
export type Upcaster = (data: object) => object;

interface Declared<Version extends number, Effect> {
  /** The version that is written today. */
  readonly version: Version;
  /** All of them; none is `[]`. */
  readonly effects: readonly Effect[];
}

/** By the version they start from: `1` turns version 1 into version 2. */
type Upcasters<Version extends number> = Version extends 1
  ? { readonly upcasters?: undefined }
  : { readonly upcasters: Readonly<Record<number, Upcaster>> };

declare const DATA: unique symbol;

/** One type of event: all that is said of it in one place. */
export interface EventDeclaration<Data extends object = object, Version extends number = number> extends Declared<
  Version,
  EventEffect
> {
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
  /** Not there: the type remembers the data's. */
  readonly [DATA]?: Data;
}

/**
 * Declares an event with the data of the version that is written today. Old versions are stored for ever: whoever changes the data
 * declares the next version, with the upcaster from the one before, and a test that decodes it.
 */
export const event = <Data extends object, Version extends number = 1>(
  declaration: Declared<Version, EffectOn<Data>> & Upcasters<Version>,
): EventDeclaration<Data, Version> => declaration;

/** As `event`, for one after which everything is in the state that it was in: who counts states need not know it. */
export const eventInPlace = <Data extends object, Version extends number = 1>(
  declaration: Declared<Version, EffectOn<Data>> & Upcasters<Version>,
): EventDeclaration<Data, Version> & InPlace => ({ ...declaration, inPlace: true });

interface InPlace {
  readonly inPlace: true;
}

/** The types of the declarations whose events may change a state. */
export type MovingType<Declarations> = {
  readonly [Type in keyof Declarations & string]: Declarations[Type] extends InPlace ? never : Type;
}[keyof Declarations & string];

/** Every event of a record of declarations. */
export type EventsOf<Declarations> = {
  readonly [Type in keyof Declarations & string]: Declarations[Type] extends EventDeclaration<infer Data, infer Version>
    ? { readonly type: Type; readonly version: Version; readonly data: Data }
    : never;
}[keyof Declarations & string];
