import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { type IsoTime, sameContent } from '../kernel/json.js';
import { crossings, type Level } from './level.js';
import type { ResourceDefinition, ResourceEvent } from './resource.events.js';
import type { ResourceRejection } from './resource.rejections.js';

export interface DefinedResource {
  readonly status: 'defined';
  readonly definition: ResourceDefinition;
  /** As of the last crossing. The gauge may show more or less since, on the same side of every limit. */
  readonly level: Level;
}

export type ResourceState = { readonly status: 'unknown' | 'deleted' } | DefinedResource;

interface CommandInput {
  readonly resource: string;
  readonly now: IsoTime;
}

export type ResourceCommand = CommandInput &
  (
    | { readonly type: 'DefineResource'; readonly definition: ResourceDefinition; readonly by: string }
    | { readonly type: 'DeleteResource'; readonly by: string }
    /** Its gauge was read. `limits`: those that steps of queues set. `wasStale`: nobody had measured it for too long. */
    | {
        readonly type: 'RecordMeasure';
        readonly value: number;
        readonly wasStale: boolean;
        readonly limits: readonly number[];
      }
    /** Nobody has measured it for too long. */
    | { readonly type: 'RecordStaleness'; readonly limits: readonly number[] }
  );

type CommandOf<T extends ResourceCommand['type']> = Extract<ResourceCommand, { readonly type: T }>;
type ResourceDecision = Decision<ResourceEvent, ResourceRejection>;

/** One resource, whose gauge workers measure. Records when the gauge crosses a limit, and no other measure. */
export const resourceDecider: Decider<ResourceState, ResourceCommand, ResourceEvent, ResourceRejection> = {
  initialState: { status: 'unknown' },
  evolve: evolveResource,
  decide: (command, state) => {
    if (command.type === 'DefineResource') return define(command, state);
    if (state.status === 'defined') return decideOnDefined(command, state);
    const isDone = command.type === 'DeleteResource' && state.status === 'deleted';
    return isDone ? alreadyDone : reject({ code: 'RESOURCE_NOT_FOUND', resource: command.resource });
  },
};

/** Throws if the stream is broken: a crossing of a resource that does not exist. */
function evolveResource(state: ResourceState, event: ResourceEvent): ResourceState {
  const level = state.status === 'defined' ? state.level : null;
  if (event.type === 'ResourceDefined') return { status: 'defined', definition: event.data.definition, level };
  if (state.status !== 'defined')
    throw new Error(`Expected a resource to be defined before '${event.type}', but it is ${state.status}`);
  return event.type === 'ResourceDeleted' ? { status: 'deleted' } : { ...state, level: event.data.value };
}

function decideOnDefined(command: Exclude<ResourceCommand, CommandOf<'DefineResource'>>, state: DefinedResource) {
  switch (command.type) {
    case 'DeleteResource': {
      const { resource, by, now: at } = command;
      return accept<ResourceEvent>({ type: 'ResourceDeleted', version: 1, data: { resource, by, at } });
    }
    case 'RecordMeasure':
      return recorded(measured(command, state.level));
    case 'RecordStaleness':
      return recorded(wentStale(command, state.level));
  }
}

function define({ resource, definition, by, now: at }: CommandOf<'DefineResource'>, state: ResourceState) {
  if (state.status === 'defined' && sameContent(state.definition, definition)) return alreadyDone;
  return accept<ResourceEvent>({ type: 'ResourceDefined', version: 1, data: { resource, definition, by, at } });
}

const recorded = (events: readonly ResourceEvent[]): ResourceDecision =>
  events.length === 0 ? alreadyDone : accept(...events);

function measured(command: CommandOf<'RecordMeasure'>, before: Level): readonly ResourceEvent[] {
  const { resource, value, wasStale, limits, now: at } = command;
  const { short, free } = crossings(wasStale ? null : before, value, limits);
  return [
    ...(wasStale ? wentStale(command, before) : []),
    ...(short.length > 0
      ? [{ type: 'ResourceShort', version: 1, data: { resource, value, limits: short, at } } as const]
      : []),
    ...(free.length > 0
      ? [{ type: 'ResourceFree', version: 1, data: { resource, value, limits: free, at } } as const]
      : []),
  ];
}

/** Nothing if it is known already. Recorded even if no limit is crossed, so that it need not be noticed again. */
function wentStale(
  { resource, limits, now: at }: CommandInput & { readonly limits: readonly number[] },
  before: Level,
) {
  if (before === null) return [];
  const { short } = crossings(before, null, limits);
  return [{ type: 'ResourceShort', version: 1, data: { resource, value: null, limits: short, at } } as const];
}
