import type { Json } from '../../domain/kernel/json.js';
import type { Step } from '../../application/transactions/run-transaction.handler.js';
import type { Answer } from '../operations/answer.js';
import type { EnqueueResult, Settlement } from '../operations/outcomes.js';

/**
 * A type as JSON shows it: nothing is `readonly`, any JSON is unknown, a flag that is only ever true is a boolean, and
 * alternatives of an object are one object, whose members may be absent if one of them lacks them.
 */
type Shape<T> = Json extends T
  ? unknown
  :
      | Exclude<T, object>
      | (true extends T ? boolean : never)
      | List<Extract<T, readonly unknown[]>>
      | One<Exclude<Extract<T, object>, readonly unknown[]>>;

type List<T> = T extends readonly (infer Element)[] ? Shape<Element>[] : never;

type One<T> = [T] extends [never]
  ? never
  : { -readonly [Name in Exclude<NameOf<T>, Optional<T>>]: Shape<MemberOf<T, Name>> } & {
      -readonly [Name in Optional<T>]?: Shape<ValueOf<T, Name>>;
    };

/** All but what is added to answers: by `Operations` to commands whose events the index does not know yet, and by `PastReads`. */
type NameOf<T> = T extends unknown ? Exclude<keyof T & string, 'indexed' | 'asOf'> : never;
type MemberOf<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never;
type ValueOf<T, Name> = Exclude<MemberOf<T, Name>, undefined>;
/** The members that one of the alternatives may lack. */
type Optional<T, Name extends PropertyKey = NameOf<T>> = T extends unknown
  ? { [One in Name]: One extends keyof T ? (Record<never, never> extends Pick<T, One> ? One : never) : One }[Name]
  : never;

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The members that only one of the two has, or that differ in type, or in whether they may be absent. */
type Unlike<A, B> = {
  [Name in NameOf<A> | NameOf<B>]-?: Name extends NameOf<A> & NameOf<B>
    ? Equal<Shape<ValueOf<A, Name>>, Shape<ValueOf<B, Name>>> extends true
      ? Equal<Name extends Optional<A> ? true : false, Name extends Optional<B> ? true : false> extends true
        ? never
        : Name
      : Name
    : Name;
}[NameOf<A> | NameOf<B>];

/** What lies within a member: the elements of a list, and what is not null. */
type Inner<T> = NonNullable<T> extends readonly (infer Element)[] ? Element : NonNullable<T>;

type Below<A, B> = [A, B] extends [object, object]
  ? [Unlike<A, B>] extends [never]
    ? ''
    : `.${Unlike<A, B> & string}`
  : '';

/** The members that differ, with those that they contain, such as `items.id`. No deeper: shapes may contain themselves. */
export type Differences<A, B, Name extends PropertyKey = Unlike<A, B>> = Name extends string
  ? `${Name}${Below<Inner<MemberOf<A, Name>>, Inner<MemberOf<B, Name>>>}`
  : Name;

/** What any value is assignable to if the shapes agree, and nothing else. */
type Agreement<Shown, Body> = unknown extends Body
  ? { readonly 'The answer has no type': never }
  : [Unlike<Shown, Body>] extends [never]
    ? unknown
    : { readonly 'The answer and its class differ in': Differences<Shown, Body> };

/**
 * Decorates a method whose answer has exactly the members of the class that describes it. A method that answers with a step
 * leaves it to others to carry it out, and to make the body from its receipt.
 */
export type AnswersWith<Shown, FromReceipt = never> = <Method extends (...call: never[]) => unknown>(
  target: object,
  name: string,
  descriptor: TypedPropertyDescriptor<Method> & Agreement<Shown, BodyOf<Awaited<ReturnType<Method>>, FromReceipt>>,
) => void;

type BodyOf<Returned, FromReceipt> = Returned extends Step
  ? { operate: FromReceipt; settle: Settlement; enqueue: EnqueueResult }[Returned['kind']]
  : Returned extends Answer<infer Body>
    ? Body
    : unknown;
