/** The API's answer to one refusal. */
export interface Row<R> {
  readonly status: number;
  readonly title: string;
  readonly detail: (rejection: R) => string;
}

/** A row for each code of `R`. A refusal without a row does not compile. */
export type Rows<R extends { readonly code: string }> = {
  readonly [C in R['code']]: Row<Extract<R, { readonly code: C }>>;
};

export const oneOf = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.join(', '));
