import type { ClaimRefusal, ClaimRequest } from '../../application/claims/task-claimer.port.js';
import type { StandingClaim } from '../../domain/queue-consumer/consumer.commands.js';
import { type QueuePolicy, roomOn } from '../../domain/queue/queue.policy.js';

import { type ClaimQuota, NOTHING_BESIDE } from './claim-quota.js';

/** Gives each request, in order, what the cluster's and its server's limits leave. */
export function countedQuota(
  policy: QueuePolicy,
  standing: readonly StandingClaim[],
  requests: readonly ClaimRequest[],
): ClaimQuota {
  const running: { readonly server: string }[] = [...standing];
  const places: number[] = [];
  const refusals = requests.map(({ server, max }, index): ClaimRefusal | null => {
    const room = roomOn(server, policy, running);
    if (room.places <= 0) return refusal(server, room.limit, running);
    for (let place = 0; place < Math.min(max, room.places); place++) {
      places.push(index);
      running.push({ server });
    }
    return null;
  });
  return { ...NOTHING_BESIDE, places, refusals };
}

function refusal(server: string, limit: string, running: readonly { readonly server: string }[]): ClaimRefusal {
  if (limit === 'maxRunning') return { code: 'QUEUE_FULL', running: running.length };
  return { code: 'SERVER_FULL', server, running: running.filter((task) => task.server === server).length };
}
