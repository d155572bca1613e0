import { mirror } from './mirror.js';
import type { ArchiveQueue } from './queue.js';
import { report } from './report.js';
import { seal } from './seal.js';

/** In the order in which they are shown. */
export const ARCHIVE_QUEUES: readonly ArchiveQueue[] = [mirror, seal, report];
