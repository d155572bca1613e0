import { accept, alreadyDone, type Decider, type Decision } from '../kernel/decider.js';
import { type IsoTime, sameContent } from '../kernel/json.js';
import type { Drain, SystemEvent } from './system.events.js';

export type SystemState =
  | { readonly status: 'running' }
  | {
      readonly status: 'draining';
      readonly drain: Drain;
      readonly by: string;
      readonly reason: string | null;
      readonly since: IsoTime;
      /** Null while tasks still run. */
      readonly quiescedAt: IsoTime | null;
    };

export type SystemCommand =
  | {
      readonly type: 'DrainSystem';
      readonly drain: Drain;
      readonly now: IsoTime;
      readonly by: string;
      readonly reason: string | null;
    }
  /** `since`: of the drain during which nothing was seen to run. */
  | { readonly type: 'QuiesceSystem'; readonly since: IsoTime; readonly now: IsoTime }
  /** `stopped`: whether to retry what shutdowns have stopped. */
  | { readonly type: 'ResumeSystem'; readonly stopped: boolean };

type SystemDecision = Decision<SystemEvent, never>;

/** Whether the whole system drains, such as before a deployment. */
export const systemDecider: Decider<SystemState, SystemCommand, SystemEvent, never> = {
  initialState: { status: 'running' },
  evolve,
  decide: (command, state) => {
    if (command.type === 'DrainSystem') return drain(command, state);
    return command.type === 'QuiesceSystem' ? quiesce(command, state) : resume(command, state);
  },
};

function evolve(state: SystemState, { type, data }: SystemEvent): SystemState {
  if (type === 'SystemResumed') return { status: 'running' };
  if (type === 'SystemQuiesced') return state.status === 'draining' ? { ...state, quiescedAt: data.at } : state;
  const { intake, running, by, reason, at: since } = data;
  return { status: 'draining', drain: { intake, running }, by, reason, since, quiescedAt: null };
}

function drain(command: Extract<SystemCommand, { type: 'DrainSystem' }>, state: SystemState): SystemDecision {
  const { by, reason, now: at } = command;
  if (state.status === 'draining' && sameContent(state.drain, command.drain) && state.reason === reason)
    return alreadyDone;
  return accept<SystemEvent>({ type: 'SystemDrained', version: 1, data: { ...command.drain, by, reason, at } });
}

/** Whoever looked may have seen an earlier drain. */
function quiesce(
  { since, now: at }: Extract<SystemCommand, { type: 'QuiesceSystem' }>,
  state: SystemState,
): SystemDecision {
  if (state.status === 'running' || state.quiescedAt !== null || state.since !== since) return alreadyDone;
  return accept<SystemEvent>({ type: 'SystemQuiesced', version: 1, data: { at } });
}

/** A running system may have tasks that a worker's own shutdown stopped. */
function resume({ stopped }: Extract<SystemCommand, { type: 'ResumeSystem' }>, state: SystemState): SystemDecision {
  if (state.status === 'running' && !stopped) return alreadyDone;
  return accept<SystemEvent>({ type: 'SystemResumed', version: 1, data: { stopped } });
}
