import type { DrainRequest, DrainState, EventView, Receipt, ResumeRequest, SystemView } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, CallOptions, ReadOptions } from './caller.js';
import { type DrainedOptions, drainedOf } from './drained.js';
import { type HistoryOptions, historyOf } from './history.js';
import { readQuery } from './read-query.js';

/** The system as a whole. */
export class System {
  constructor(private readonly caller: Caller) {}

  /** Whether it drains, and how many tasks run. */
  get(options: ReadOptions = {}): Promise<SystemView> {
    return this.caller.call('getSystem', { query: readQuery(options) }, options);
  }

  /** Whether and how it drains. */
  getDrain(options: ReadOptions = {}): Promise<DrainState> {
    return this.caller.call('getDrain', { query: readQuery(options) }, options);
  }

  /** When it was drained and resumed, by whom and why, the oldest event first. Fetches page by page as you iterate. */
  history(options: HistoryOptions = {}): AsyncGenerator<EventView> {
    return historyOf(this.caller, { operation: 'getSystemHistory' }, options);
  }

  /** Gives out no tasks, and refuses new ones unless `intake` is `open`. `running: 'cancel'` asks all tasks to stop. */
  drain(drain: DrainRequest = {}, options: CallOptions = {}): Promise<Receipt> {
    return this.caller.call('drainSystem', { body: drain }, options);
  }

  /**
   * The system once it drains and nothing runs any more, the service's own tasks included. Throws `NotDrained` if tasks still run
   * when the time is over, and if the system does not drain.
   */
  drained(options: DrainedOptions = {}): Promise<SystemView> {
    assertOptions('system.drained', options);
    const draining = {
      look: (minPosition: string) => this.get({ minPosition }),
      runningIn: ({ running }: SystemView) => running,
      givesOut: ({ state }: SystemView) =>
        state === 'draining' ? null : 'the system runs: nobody drains it, or somebody has resumed it',
    };
    return drainedOf(this.caller, draining, options);
  }

  /** Gives out tasks again, and retries those that shutdowns stopped unless `stopped` is false. */
  resume(resume: ResumeRequest = {}, options: CallOptions = {}): Promise<Receipt> {
    return this.caller.call('resumeSystem', { body: resume }, options);
  }
}
