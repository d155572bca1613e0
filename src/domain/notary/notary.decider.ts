import { accept, alreadyDone, type Decider, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import { nextLogName } from './log-name.js';
import type { LastSeal, NotaryEvent } from './notary.events.js';
import type { NotaryRejection } from './notary.rejections.js';

export interface NotaryState {
  /** What was sealed before the loss that was accepted last; null if none was. */
  readonly last: LastSeal | null;
}

export interface AcceptLoss {
  readonly type: 'AcceptLoss';
  /** Of the log that is lost, so that nobody accepts another loss than the one looked at. */
  readonly size: number;
  /** What the notary signed last, if the log does not go on from it. */
  readonly lost: LastSeal | null;
}

/** Which logs came before this one, and where they ended. */
export const notaryDecider: Decider<NotaryState, AcceptLoss, NotaryEvent, NotaryRejection> = {
  initialState: { last: null },
  evolve: (_, { data: { log, size, root, seal } }) => ({ last: { log, size, root, seal } }),
  decide: ({ size, lost }, { last }) => {
    if (last?.size === size && (lost === null || sameContent(lost, last))) return alreadyDone;
    if (lost?.size !== size) return reject({ code: 'LOSS_NOT_FOUND', size, lost: lost?.size ?? null });
    return accept<NotaryEvent>({ type: 'LogLossAccepted', version: 1, data: { ...lost, next: nextLogName(lost.log) } });
  },
};
