import { accept, alreadyDone, type Decider, type Decision } from '../kernel/decider.js';
import { type IsoTime, sameContent } from '../kernel/json.js';
import type { Drain, SystemEvent } from './system.events.js';

export type SystemState =
  | { readonly status: 'running' }
  | { readonly status: 'draining'; readonly drain: Drain; readonly by: string; readonly reason: string | null };

export type SystemCommand =
  | {
      readonly type: 'DrainSystem';
      readonly drain: Drain;
      readonly now: IsoTime;
      readonly by: string;
      readonly reason: string | null;
    }
  /** `stopped`: whether to retry what shutdowns have stopped. */
  | { readonly type: 'ResumeSystem'; readonly stopped: boolean };

type SystemDecision = Decision<SystemEvent, never>;

/** Whether the whole system drains, such as before a deployment. */
export const systemDecider: Decider<SystemState, SystemCommand, SystemEvent, never> = {
  initialState: { status: 'running' },
  evolve: (_, { type, data }) => {
    if (type === 'SystemResumed') return { status: 'running' };
    const { intake, running, by, reason } = data;
    return { status: 'draining', drain: { intake, running }, by, reason };
  },
  decide: (command, state) => (command.type === 'DrainSystem' ? drain(command, state) : resume(command, state)),
};

function drain(command: Extract<SystemCommand, { type: 'DrainSystem' }>, state: SystemState): SystemDecision {
  const { by, reason, now: at } = command;
  if (state.status === 'draining' && sameContent(state.drain, command.drain) && state.reason === reason)
    return alreadyDone;
  return accept<SystemEvent>({ type: 'SystemDrained', version: 1, data: { ...command.drain, by, reason, at } });
}

/** A running system may have tasks that a worker's own shutdown stopped. */
function resume({ stopped }: Extract<SystemCommand, { type: 'ResumeSystem' }>, state: SystemState): SystemDecision {
  if (state.status === 'running' && !stopped) return alreadyDone;
  return accept<SystemEvent>({ type: 'SystemResumed', version: 1, data: { stopped } });
}
