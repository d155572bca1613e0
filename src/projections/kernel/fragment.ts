/** Gives a value to a statement, and returns what stands for it in the text. */
export type Bind = (value: unknown) => string;

/** A part of a statement, whose values are never in its text. */
export type Fragment = (bind: Bind) => string;

/** Binds by number, as `pg` does. */
export function numbered(fragment: Fragment): readonly [sql: string, values: readonly unknown[]] {
  const values: unknown[] = [];
  const sql = fragment((value) => `$${values.push(value)}`);
  return [sql, values];
}

export const texts = (bind: Bind, values: readonly string[]): string => `cast(${bind(values)} as text[])`;
export const uuids = (bind: Bind, values: readonly string[]): string => `cast(${bind(values)} as uuid[])`;

/** A pattern of `like` for the text at the beginning, or anywhere. */
export const beginning = (text: string): string => `${escaped(text)}%`;
export const containing = (text: string): string => `%${escaped(text)}%`;

const escaped = (text: string): string => text.replaceAll(/[\\%_]/gu, '\\$&');
