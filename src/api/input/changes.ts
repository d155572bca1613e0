import type { Type } from '@nestjs/common';
import { type About, field, fieldsOf, type Model, Part } from './fields.js';

/** The members of `Whole` that may change, of which those in `Parts` change by fields of their own. */
type Changes<Whole, Parts, Without extends keyof Whole> = Partial<Omit<Whole, keyof Parts | Without>> & {
  [Name in keyof Parts]?: Parts[Name] extends Type<infer Part> ? Part : never;
};

interface Options<Whole, Parts, Without extends keyof Whole> {
  /** The classes of the changes to members that have changes of their own. */
  readonly parts?: Parts & { readonly [Name in keyof Parts]: Name extends keyof Whole ? Model : never };
  readonly without?: readonly Without[];
  /** Members that come behind others than in `Whole`. */
  readonly behind?: { readonly [Name in keyof Whole]?: keyof Whole };
}

/**
 * A class of requests that change members of `Whole`: each has the checks that `Whole` declares, and may be left out. Nest's
 * `PartialType` would take the descriptions and examples of what is shown, and could not swap the class of a part.
 */
export function ChangesOf<Whole extends object, Parts = object, Without extends keyof Whole = never>(
  whole: Type<Whole>,
  { parts, without = [], behind = {} }: Options<Whole, Parts, Without> = {},
): Type<Changes<Whole, Parts, Without>> {
  class Changed {}
  const fields = fieldsOf(whole as Model);
  for (const name of inOrder([...fields.keys()], behind as Readonly<Record<string, string>>)) {
    if (without.includes(name as Without)) continue;
    const { kind, about } = fields.get(name)!;
    const part = (parts as Readonly<Record<string, Model>> | undefined)?.[name];
    const decorate = part ? Part(() => part, changeOf(about)) : field(kind.change ?? kind, changeOf(about));
    // As TypeScript does for members that are written in a class: the document generator asks for it.
    Reflect.defineMetadata(
      'design:type',
      Reflect.getMetadata('design:type', whole.prototype, name),
      Changed.prototype,
      name,
    );
    decorate(Changed.prototype, name);
  }
  return Changed as Type<Changes<Whole, Parts, Without>>;
}

const changeOf = ({ change, example: _example, ...about }: About): About => {
  const { nullable, ...changed } = { ...about, ...change };
  return { ...changed, ...(nullable && { nullable }), optional: true };
};

function inOrder(names: readonly string[], behind: Readonly<Record<string, string>>): readonly string[] {
  const moved = Object.keys(behind);
  const rest = names.filter((name) => !moved.includes(name));
  return rest.flatMap((name) => [name, ...moved.filter((one) => behind[one] === name)]);
}
