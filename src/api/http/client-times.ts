/** How long the server waits for its clients, in milliseconds. */
export interface ClientTimes {
  /** For a request to arrive completely. Without a limit, an unfinished body would keep its room for ever. */
  readonly requestMs: number;
  /** After an answer, without another request. */
  readonly idleMs: number;
  /** How often the server looks for requests whose time is over. */
  readonly lookMs: number;
  /** Without anything sent. A client that takes nothing would keep its place for ever. A stream sends something every 15 s. */
  readonly stalledMs: number;
  /** For a large answer, or a page of events, to be taken whole, however steadily a client takes little of it. */
  readonly takenMs: number;
}

export const USUAL_TIMES: ClientTimes = {
  requestMs: 30_000,
  idleMs: 72_000,
  lookMs: 5_000,
  stalledMs: 60_000,
  takenMs: 120_000,
};
