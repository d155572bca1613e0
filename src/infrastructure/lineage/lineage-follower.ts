import { Follower } from '../projection-engine/follower.js';

/** Follows the log for what led to what. */
export class LineageFollower extends Follower {}
