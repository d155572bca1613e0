/** The event store outside the database, as its server named itself when the process started. */
export abstract class EventStoreVersion {
  /** `unknown` if the server names no version; null if the events are in the database. */
  abstract readonly version: string | null;
}
