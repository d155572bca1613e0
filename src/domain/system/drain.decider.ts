import { accept, alreadyDone, type Decider, type Decision } from '../kernel/decider.js';
import { type IsoTime, sameContent } from '../kernel/json.js';
import type { Drain, SystemEvent } from './drain.events.js';

export type DrainState =
  | { readonly status: 'running' }
  | { readonly status: 'draining'; readonly id: string; readonly by: string; readonly drain: Drain };

export type DrainCommand =
  | {
      readonly type: 'BeginDrain';
      readonly id: string;
      readonly drain: Drain;
      readonly by: string;
      readonly at: IsoTime;
    }
  | { readonly type: 'EndDrain'; readonly resume: boolean };

type DrainDecision = Decision<SystemEvent, never>;

/** Whether the whole system drains, such as before a deployment. */
export const drainDecider: Decider<DrainState, DrainCommand, SystemEvent, never> = {
  initialState: { status: 'running' },
  evolve: (_, { type, data }) => {
    if (type === 'DrainEnded') return { status: 'running' };
    const { id, by, intake, running, reason } = data;
    return { status: 'draining', id, by, drain: { intake, running, reason } };
  },
  decide: (command, state) => (command.type === 'BeginDrain' ? begin(command, state) : end(command, state)),
};

/** A drain that goes on otherwise keeps its id. */
function begin(
  { drain, by, at, ...command }: Extract<DrainCommand, { type: 'BeginDrain' }>,
  state: DrainState,
): DrainDecision {
  if (state.status === 'draining' && sameContent(state.drain, drain)) return alreadyDone;
  const id = state.status === 'draining' ? state.id : command.id;
  return accept<SystemEvent>({ type: 'DrainBegan', version: 1, data: { id, ...drain, by, at } });
}

function end({ resume }: Extract<DrainCommand, { type: 'EndDrain' }>, state: DrainState): DrainDecision {
  if (state.status === 'running') return alreadyDone;
  return accept<SystemEvent>({ type: 'DrainEnded', version: 1, data: { id: state.id, resume } });
}
