import { at, describeKills } from './second-runs.js';

describeKills({
  requests: [at('after-enqueue'), at('before-answer')],
  steward: [at('within-operation'), at('within-operation', 2), at('after-append'), at('after-settle')],
  follower: [at('before-lineage'), at('after-lineage'), at('before-checkpoint'), at('after-checkpoint')],
});
