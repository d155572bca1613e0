/** A place in which two JSON values differ. What is absent on a side is undefined there. */
export interface Difference {
  /** Such as `amount.value` or `items[2].sku`; empty for the whole value. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Where two JSON values differ, the members in the order of their names. Lists are compared place by place. */
export function differencesOf(before: unknown, after: unknown, path = ''): Difference[] {
  if (Object.is(before, after)) return [];
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }];
  const isList = Array.isArray(before);
  return namesIn(before, after).flatMap((name) =>
    differencesOf(memberOf(before, name), memberOf(after, name), isList ? `${path}[${name}]` : joined(path, name)),
  );
}

type Nested = Readonly<Record<string, unknown>>;

const isNested = (value: unknown): value is Nested => typeof value === 'object' && value !== null;

const memberOf = (of: Nested, name: string): unknown => (Object.hasOwn(of, name) ? of[name] : undefined);

const namesIn = (...values: readonly Nested[]): string[] => {
  const names = [...new Set(values.flatMap((value) => Object.keys(value)))];
  return values.some(Array.isArray) ? names : names.sort();
};

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
