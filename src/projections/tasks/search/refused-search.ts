/** A search lacks a term without which it would read too much, or miss tasks. The message names it. */
export class RefusedSearch extends Error {
  override readonly name: string = 'RefusedSearch';
}
