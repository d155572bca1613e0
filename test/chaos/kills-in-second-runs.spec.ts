import { at, describeKills } from './second-runs.js';

/** The second run is there and the answer is not; some of an operation's are; what was found is not written. */
describeKills({
  requests: [at('after-enqueue')],
  steward: [at('after-enqueue')],
  follower: [at('within-lineage')],
});
