import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import { nextLogName } from '../seals/log-name.js';
import type { LastSeal, LogKey, NotaryEvent } from './notary.events.js';
import type { NotaryRejection } from './notary.rejections.js';

export interface NotaryState {
  /** What was sealed before the loss that was accepted last; null if none was. */
  readonly last: LastSeal | null;
  /** The log whose key was retired last. Absent if none was. */
  readonly retired?: string;
}

export interface AcceptLoss {
  readonly type: 'AcceptLoss';
  /** Of the log that is lost, so that nobody accepts another loss than the one looked at. */
  readonly size: number;
  /** What the notary signed last, if the log does not go on from it. */
  readonly lost: LastSeal | null;
}

export interface RetireKey {
  readonly type: 'RetireKey';
  /** That the key signs, so that nobody retires another one than the one looked at. */
  readonly log: string;
  /** The log that is sealed now; null if none is. */
  readonly sealed: LogKey | null;
}

export type NotaryCommand = AcceptLoss | RetireKey;

type Decided = Decision<NotaryEvent, NotaryRejection>;

/** Which logs came before this one, and where they ended. */
export const notaryDecider: Decider<NotaryState, NotaryCommand, NotaryEvent, NotaryRejection> = {
  initialState: { last: null },
  evolve,
  decide: (command, state) => (command.type === 'AcceptLoss' ? acceptLoss(command, state) : retireKey(command, state)),
};

function evolve(state: NotaryState, { type, data }: NotaryEvent): NotaryState {
  if (type === 'NotaryKeyRetired') return { ...state, retired: data.log };
  const { log, size, root, seal } = data;
  return { ...state, last: { log, size, root, seal } };
}

function acceptLoss({ size, lost }: AcceptLoss, { last }: NotaryState): Decided {
  if (last?.size === size && (lost === null || sameContent(lost, last))) return alreadyDone;
  if (lost?.size !== size) return reject({ code: 'LOSS_NOT_FOUND', size, lost: lost?.size ?? null });
  return accept<NotaryEvent>({ type: 'LogLossAccepted', version: 1, data: { ...lost, next: nextLogName(lost.log) } });
}

function retireKey({ log, sealed }: RetireKey, { retired }: NotaryState): Decided {
  if (retired === log) return alreadyDone;
  if (sealed?.log !== log) return reject({ code: 'LOG_NOT_SEALED', log, sealed: sealed?.log ?? null });
  return accept<NotaryEvent>({ type: 'NotaryKeyRetired', version: 1, data: { ...sealed, next: nextLogName(log) } });
}
