import type { ClaimRefusal, ClaimRequest } from '../../application/claims/claim-desk.port.js';
import type { StandingClaim } from '../../domain/holder/holder.commands.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import { type Allowance, NOTHING_BESIDE } from './allowance.js';

/** Gives each request, in order, what the cluster's and its server's limits leave. */
export function countedAllowance(
  { concurrency, maxRunning }: QueuePolicy,
  running: readonly StandingClaim[],
  requests: readonly ClaimRequest[],
): Allowance {
  const perServer = typeof concurrency === 'object' ? concurrency.perServer : Infinity;
  const onServer = new Map<string, number>();
  for (const { server } of running) onServer.set(server, (onServer.get(server) ?? 0) + 1);
  let inCluster = running.length;
  const places: number[] = [];
  const refusals = requests.map(({ server, max }, index): ClaimRefusal | null => {
    const here = onServer.get(server) ?? 0;
    const room = Math.min(max, perServer - here, (maxRunning ?? Infinity) - inCluster);
    if (room <= 0) return refusal(server, here, perServer, inCluster);
    for (let place = 0; place < room; place++) places.push(index);
    onServer.set(server, here + room);
    inCluster += room;
    return null;
  });
  return { ...NOTHING_BESIDE, places, refusals };
}

const refusal = (server: string, here: number, perServer: number, inCluster: number): ClaimRefusal =>
  here >= perServer ? { code: 'SERVER_FULL', server, running: here } : { code: 'QUEUE_FULL', running: inCluster };
