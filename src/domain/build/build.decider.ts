import { accept, alreadyDone, type Decider } from '../kernel/decider.js';
import type { BuildEvent } from './build.events.js';

export interface BuildState {
  /** The builds that have begun, the first one first. */
  readonly builds: readonly string[];
}

export interface BeginBuild {
  readonly queue: string;
  readonly build: string;
  readonly worker: string;
  readonly server: string;
}

/** Of how many builds of a queue the beginning is recorded, because workers choose the names. Claims name all of them. */
export const MOST_BUILDS = 1_000;

/** Records when each build of a queue's workers got its first task. */
export const buildDecider: Decider<BuildState, BeginBuild, BuildEvent, never> = {
  initialState: { builds: [] },
  evolve: ({ builds }, { data }) => ({ builds: [...builds, data.build] }),
  decide: ({ queue, build, worker, server }, { builds }) => {
    if (builds.includes(build) || builds.length >= MOST_BUILDS) return alreadyDone;
    return accept<BuildEvent>({ type: 'BuildBegan', version: 1, data: { queue, build, worker, server } });
  },
};
