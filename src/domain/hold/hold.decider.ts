import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { type IsoTime, sameContent } from '../kernel/json.js';
import type { HoldEvent, HoldSelector } from './hold.events.js';
import type { HoldRejection } from './hold.rejections.js';

export type HoldState = { readonly status: 'unknown' | 'lifted' } | ({ readonly status: 'placed' } & Placing);

/** What a hold selects, why, and whether it forbids to erase instead of giving out. */
interface Placing {
  readonly selector: HoldSelector;
  readonly reason: string | null;
  readonly forbidsErasure?: boolean;
}

interface CommandInput {
  readonly hold: string;
  readonly now: IsoTime;
  readonly by: string;
  /** Whether the caller may erase, which the change and the end of a legal hold need. */
  readonly mayErase: boolean;
}

export type HoldCommand = CommandInput & (({ readonly type: 'PlaceHold' } & Placing) | { readonly type: 'LiftHold' });

type HoldDecision = Decision<HoldEvent, HoldRejection>;

/** One hold, which keeps the tasks that it selects from being given out, however many there are. */
export const holdDecider: Decider<HoldState, HoldCommand, HoldEvent, HoldRejection> = {
  initialState: { status: 'unknown' },
  evolve: (_, { type, data }) => {
    if (type === 'HoldLifted') return { status: 'lifted' };
    const { selector, reason = null, forbidsErasure } = data;
    return { status: 'placed', selector, reason, ...(forbidsErasure && { forbidsErasure }) };
  },
  decide: (command, state) => (command.type === 'PlaceHold' ? place(command, state) : lift(command, state)),
};

function place(command: Extract<HoldCommand, { type: 'PlaceHold' }>, state: HoldState): HoldDecision {
  const { hold, selector, by, reason, forbidsErasure, now: at } = command;
  if (state.status === 'placed' && isSame(state, command)) return alreadyDone;
  if (lacksPermission(command, state)) return reject({ code: 'LEGAL_HOLD_IN_FORCE', hold });
  const data = {
    hold,
    selector,
    by,
    at,
    ...(reason !== null && { reason }),
    ...(forbidsErasure && { forbidsErasure: true as const }),
  };
  return accept<HoldEvent>({ type: 'HoldPlaced', version: 1, data });
}

const isSame = (one: Placing, other: Placing): boolean =>
  sameContent(one.selector, other.selector) &&
  one.reason === other.reason &&
  (one.forbidsErasure ?? false) === (other.forbidsErasure ?? false);

/** To forbid an erasure is safe, to allow it again is not. */
const lacksPermission = ({ mayErase }: HoldCommand, state: HoldState): boolean =>
  state.status === 'placed' && state.forbidsErasure === true && !mayErase;

function lift(command: HoldCommand, state: HoldState): HoldDecision {
  const { hold, by, now: at } = command;
  const { status } = state;
  if (status === 'unknown') return reject({ code: 'HOLD_NOT_FOUND', hold });
  if (status === 'lifted') return alreadyDone;
  if (lacksPermission(command, state)) return reject({ code: 'LEGAL_HOLD_IN_FORCE', hold });
  return accept<HoldEvent>({ type: 'HoldLifted', version: 1, data: { hold, by, at } });
}
