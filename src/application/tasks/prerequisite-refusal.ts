import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { Refusal } from '../kernel/event-store.port.js';

/** What to tell the caller when a task could not wait for its prerequisites; null if the refusal has another cause. */
export function prerequisiteRejection(refusal: Refusal): TaskRejection | null {
  switch (refusal.constraint) {
    case 'prerequisite-not-found':
      return {
        code: 'PREREQUISITE_NOT_FOUND',
        prerequisite: refusal.prerequisite,
        ...(refusal.is && { is: refusal.is }),
      };
    case 'prerequisite-dead':
      return { code: 'PREREQUISITE_DEAD', prerequisite: refusal.prerequisite, state: refusal.state };
    case 'prerequisite-cycle':
      return { code: 'PREREQUISITE_CYCLE', cycle: refusal.cycle };
    case 'graph-too-large':
      return { code: 'GRAPH_TOO_LARGE', limit: refusal.limit };
    default:
      return null;
  }
}
