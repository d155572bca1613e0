/** The views that everybody finds. */
export abstract class KnownViews {
  /** How many there are besides this one, as of the last event that the index has applied. */
  abstract others(view: string): Promise<number>;
}
