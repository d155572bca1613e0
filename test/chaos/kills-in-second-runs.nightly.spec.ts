import { at, describeKills } from './second-runs.js';

describeKills({
  requests: [at('after-enqueue'), at('before-answer')],
  steward: [at('within-operation'), at('within-operation', 2), at('after-append'), at('after-settle')],
  follower: [at('before-lineage'), at('after-lineage'), at('before-checkpoint'), at('after-checkpoint')],
});

/** The second run is there and the answer is not; some of an operation's are; what was found is not written. */
describeKills({
  requests: [at('after-enqueue')],
  steward: [at('after-enqueue')],
  follower: [at('within-lineage')],
});
