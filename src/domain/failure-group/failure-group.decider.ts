import { accept, alreadyDone, type Decider, type Decision } from '../kernel/decider.js';
import type { IsoTime } from '../kernel/json.js';
import type { FailureGroupEvent } from './failure-group.events.js';

/** What repaired the cause, as far as somebody said so. */
export interface Repair {
  readonly build: string | null;
  readonly operation: string | null;
}

export type Resolved = Repair & { readonly status: 'resolved'; readonly at: IsoTime };

/** A group begins with its first failure, and nothing is recorded of it until somebody gives a command. */
export type FailureGroupState = { readonly status: 'open' | 'ignored' } | Resolved;

interface Given {
  readonly group: string;
  readonly by: string;
  readonly reason: string | null;
  readonly now: IsoTime;
}

export type FailureGroupCommand =
  | (Given & Repair & { readonly type: 'ResolveFailureGroup' })
  | (Given & { readonly type: 'IgnoreFailureGroup' | 'ReopenFailureGroup' })
  /** A task has failed like this since the group was resolved at that time. */
  | {
      readonly type: 'ReturnFailureGroup';
      readonly group: string;
      readonly queue: string;
      readonly task: string;
      readonly resolvedAt: IsoTime;
    };

type Command<T extends FailureGroupCommand['type']> = Extract<FailureGroupCommand, { readonly type: T }>;
type FailureGroupDecision = Decision<FailureGroupEvent, never>;

/** What people say of failures with a common cause. Whether there are such failures is not its business. */
export const failureGroupDecider: Decider<FailureGroupState, FailureGroupCommand, FailureGroupEvent, never> = {
  initialState: { status: 'open' },
  evolve: (_, { type, data }) => {
    if (type === 'FailureGroupIgnored') return { status: 'ignored' };
    if (type !== 'FailureGroupResolved') return { status: 'open' };
    return { status: 'resolved', at: data.at, build: data.build ?? null, operation: data.operation ?? null };
  },
  decide: (command, state) => {
    switch (command.type) {
      case 'ResolveFailureGroup':
        return resolve(command, state);
      case 'IgnoreFailureGroup':
        return state.status === 'ignored' ? alreadyDone : say('FailureGroupIgnored', command);
      case 'ReopenFailureGroup':
        return state.status === 'open' ? alreadyDone : say('FailureGroupReopened', command);
      case 'ReturnFailureGroup':
        return comeBack(command, state);
    }
  },
};

function resolve(command: Command<'ResolveFailureGroup'>, state: FailureGroupState): FailureGroupDecision {
  const { build, operation } = command;
  if (state.status === 'resolved' && state.build === build && state.operation === operation) return alreadyDone;
  const repair = { ...(build !== null && { build }), ...(operation !== null && { operation }) };
  return accept<FailureGroupEvent>({
    type: 'FailureGroupResolved',
    version: 1,
    data: { ...said(command), ...repair },
  });
}

/** A later command may have changed what the failure came back from. */
function comeBack(command: Command<'ReturnFailureGroup'>, state: FailureGroupState): FailureGroupDecision {
  const { group, queue, task, resolvedAt } = command;
  if (state.status !== 'resolved' || state.at !== resolvedAt) return alreadyDone;
  return accept<FailureGroupEvent>({
    type: 'FailureGroupReturned',
    version: 1,
    data: { group, queue, task, resolvedAt },
  });
}

const say = (type: 'FailureGroupIgnored' | 'FailureGroupReopened', given: Given): FailureGroupDecision =>
  accept<FailureGroupEvent>({ type, version: 1, data: said(given) });

const said = ({ group, by, reason, now: at }: Given) => ({ group, by, at, ...(reason !== null && { reason }) });
