/** Whether the store takes writes. */
export abstract class Writes {
  /** What keeps the store from writing although it answers, for people; null if nothing does. */
  abstract prevented(): Promise<string | null>;
}
