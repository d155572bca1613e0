/**
 * What an event means to code that does not know its type. An effect applies to every event of a type, unless its
 * description names a condition on the data.
 */
export type EventEffect =
  /** The queue may have a task to give out: a task arrived or returned, its key is free again, or a gate opened. */
  | 'offers-work'
  /** Other tasks with the task's key may run now. The event does not say whether its task has a key. */
  | 'frees-key'
  /** The same, if the data have a `key`. Otherwise only a place under the queue's limits is free again. */
  | 'frees-named-key'
  /** The sweeper may have to act earlier than planned. A `dueAt` in the data means the same. */
  | 'changes-schedule'
  /** Counts as one more failed attempt in a row in the queue. */
  | 'extends-failure-streak'
  /** Restarts the count of failures in a row, unless there is a `verdict` other than success. */
  | 'ends-failure-streak'
  /** The task starts to wait, unless the data name a hold (`heldBy`), a step that continues, or a `verdict` that ends the task. */
  | 'begins-wait'
  /** The task stops waiting without running. */
  | 'ends-wait'
  /** A worker has claimed the task. */
  | 'begins-run'
  /** The task has ended, unless the `verdict` is to requeue it. It may still be retried. */
  | 'ends-task'
  /** The task was not done by its deadline, and goes on. */
  | 'misses-deadline'
  /** A fence: takes the place of a reserved append that never arrived. Changes nothing else. */
  | 'fills-abandoned-place';

/** Effects that depend on the data. */
type EffectOn<Data> = 'key' extends keyof Data ? EventEffect : Exclude<EventEffect, 'frees-named-key'>;

/** Turns the data of one stored version of an event into the next version's. */
export type Upcaster = (data: object) => object;

/**
 * Members that differ from task to task, or that a task's owner may ask to have erased. They are stored with each
 * event.
 */
type OwnMember = 'payload' | 'labels' | 'description' | 'error' | 'result' | 'key' | 'reference' | 'reason' | 'token';

/** The members that may be equal in many events of one append. */
type SharedMember<Data> = {
  readonly [Member in keyof Data & string]-?: Data[Member] extends string | number | boolean | null | undefined
    ? Exclude<Member, OwnMember>
    : never;
}[keyof Data & string];

/** Members that say what a task was about, whatever the event. */
type ContentMember = 'payload' | 'labels' | 'description' | 'error' | 'result' | 'key' | 'reference' | 'data' | 'patch';

/** Members of these names do so if they may be an object: others of the same name are a number, a time or an id. */
type MaybeContent = 'previous' | 'rerunOf';

/** The members for each of which a declaration must say in which half it is stored. */
type HalvedMember<Data> = {
  readonly [Member in keyof Data & string]-?: Member extends ContentMember
    ? Member
    : Member extends MaybeContent
      ? Extract<Data[Member], object> extends never
        ? never
        : Member
      : never;
}[keyof Data & string];

/**
 * Of each such member, whether it belongs to the private half. The public half says what happened, the private one what it
 * was about. An event is read from both, but proofs, counts and most followers need only the public one.
 */
export type PrivateMembers<Data = Readonly<Record<string, unknown>>> = Readonly<Record<HalvedMember<Data>, boolean>> &
  Readonly<Partial<Record<keyof Data & string, boolean>>>;

type Halves<Data> = [HalvedMember<Data>] extends [never]
  ? { readonly private?: PrivateMembers<Data> }
  : { readonly private: PrivateMembers<Data> };

/** What the public half keeps of a private member that is an object. */
export const PUBLIC_PARTS: Readonly<Record<string, readonly string[]>> = {
  // Counts are kept by class.
  error: ['class'],
  rerunOf: ['task', 'step', 'lastStep'],
};

interface Declared<Version extends number, Effect, Member extends string = string> {
  /** The current version. */
  readonly version: Version;
  /** All effects; `[]` if there are none. */
  readonly effects: readonly Effect[];
  /** Of commands that people give, as opposed to work: `single`, or `bulk` if one order may give it for many tasks. */
  readonly command?: 'single' | 'bulk';
  /** The members that a store may write once for all events of an append in which they are equal. */
  readonly shared?: readonly Member[];
}

/** By the version they start from: `1` turns version 1 into version 2. */
type Upcasters<Version extends number> = Version extends 1
  ? { readonly upcasters?: undefined }
  : { readonly upcasters: Readonly<Record<number, Upcaster>> };

declare const DATA: unique symbol;

/** Everything about one type of event, in one place. */
export interface EventDeclaration<Data extends object = object, Version extends number = number> extends Declared<
  Version,
  EventEffect
> {
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
  readonly private?: Readonly<Record<string, boolean>>;
  readonly byWorker?: boolean;
  /** Never set. It only carries the type of the data. */
  readonly [DATA]?: Data;
}

/**
 * Declares an event with the data of its current version. Stored versions are permanent: if you change the data,
 * declare the next version, an upcaster from the previous one, and a test that decodes it.
 */
export const event = <Data extends object, Version extends number = 1>(
  declaration: Declared<Version, EffectOn<Data>, SharedMember<Data>> & Upcasters<Version> & Halves<Data>,
): EventDeclaration<Data, Version> => declaration;

/** Whether the worker that the data name caused the event by a report of its own. Must be said of each event of an attempt. */
type ByWorker<Data> = Data extends { readonly attempt: number; readonly worker: string }
  ? { readonly byWorker: boolean }
  : { readonly byWorker?: undefined };

/**
 * Like `event`, for events that change no state, so that code that counts states can ignore them, and code that looks for
 * workers needs no rule for each of them.
 */
export const eventInPlace = <Data extends object, Version extends number = 1>(
  declaration: Declared<Version, EffectOn<Data>, SharedMember<Data>> &
    Upcasters<Version> &
    Halves<Data> &
    ByWorker<Data>,
): EventDeclaration<Data, Version> & InPlace => ({ ...declaration, inPlace: true });

export interface InPlace {
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
