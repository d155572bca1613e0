import type { TaskDetails } from '@waybill/contracts';
import type { Caller, CallOptions } from './caller.js';
import type { QueryValue } from './transport.js';

/** A moment: a time, a position of the log, or how long ago, such as `10m`. */
export type PastMoment = Date | string;

/** What the service shows as of a moment. It has no commands, because nobody changes the past. */
export class PastWaybill {
  private readonly query: Readonly<Record<string, QueryValue>>;

  constructor(
    private readonly caller: Caller,
    moment: PastMoment,
  ) {
    this.query = { asOf: moment instanceof Date ? moment.toISOString() : moment };
  }

  task(id: string): PastTask {
    return new PastTask(this.caller, id, this.query);
  }
}

/** One task as it was. */
export class PastTask {
  constructor(
    private readonly caller: Caller,
    readonly id: string,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  /** Its `asOf` names the position that the moment means. */
  get(options?: CallOptions): Promise<TaskDetails> {
    return this.caller.call('getTask', { path: { id: this.id }, query: this.query }, options);
  }
}
