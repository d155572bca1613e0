/** Whether the store of the events can forget what tasks were about. */
export abstract class Forgetting {
  /** Throws `Refused` with ERASURE_NOT_POSSIBLE where it cannot. */
  abstract assertPossible(): void;
}
