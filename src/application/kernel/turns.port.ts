/**
 * What is done one at a time, over all processes. `definitions`: what is checked against others, such as what a trigger
 * leads to, a step's need of a resource, a resource's end; checked together, each would pass without the other.
 * `contended`: transactions that others were faster at, again and again.
 */
export type Turn = 'definitions' | 'contended';

export abstract class Turns {
  /**
   * Does the work while no other work of this kind is done, in any process. Who came first is first, and processes take
   * turns. Within `definitions`, work may ask for `contended`, and for no other turn.
   */
  abstract alone<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
}
