import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { type IsoTime, sameContent } from '../kernel/json.js';
import type { ViewDefinition, ViewEvent } from './view.events.js';
import type { ViewRejection } from './view.rejections.js';

/** As many as a person can look through, so that the list of all needs no pages. */
export const MOST_VIEWS = 100;

export type ViewState =
  | { readonly status: 'unknown' | 'deleted' }
  | { readonly status: 'saved'; readonly definition: ViewDefinition };

interface CommandInput {
  readonly view: string;
  readonly by: string;
  readonly now: IsoTime;
}

export type ViewCommand = CommandInput &
  (
    | {
        readonly type: 'SaveView';
        readonly definition: ViewDefinition;
        /** How many other views there are. */
        readonly others: number;
      }
    | { readonly type: 'DeleteView' }
  );

type ViewDecision = Decision<ViewEvent, ViewRejection>;

/** One list of tasks that everybody finds under its name. */
export const viewDecider: Decider<ViewState, ViewCommand, ViewEvent, ViewRejection> = {
  initialState: { status: 'unknown' },
  evolve: (_, { type, data }) =>
    type === 'ViewDeleted' ? { status: 'deleted' } : { status: 'saved', definition: data.definition },
  decide: (command, state) => (command.type === 'SaveView' ? save(command, state) : remove(command, state)),
};

function save(command: Extract<ViewCommand, { readonly type: 'SaveView' }>, state: ViewState): ViewDecision {
  const { view, definition, others, by, now: at } = command;
  if (state.status === 'saved' && sameContent(state.definition, definition)) return alreadyDone;
  if (state.status !== 'saved' && others >= MOST_VIEWS) return reject({ code: 'TOO_MANY_VIEWS', most: MOST_VIEWS });
  return accept<ViewEvent>({ type: 'ViewSaved', version: 1, data: { view, definition, by, at } });
}

function remove({ view, by, now: at }: ViewCommand, { status }: ViewState): ViewDecision {
  if (status === 'unknown') return reject({ code: 'VIEW_NOT_FOUND', view });
  if (status === 'deleted') return alreadyDone;
  return accept<ViewEvent>({ type: 'ViewDeleted', version: 1, data: { view, by, at } });
}
