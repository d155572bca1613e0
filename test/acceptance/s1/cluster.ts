import type { EventView, Waybill } from '@waybill/client';
import { Child } from '../../chaos/child.js';
import { until } from '../../support/until.js';

const PATIENCE_MS = 900_000;
const WORKER = 'test/acceptance/s1/cluster-worker.ts';

interface Pacing {
  /** Each server ends a task when it is told to, and all tasks once its stdin is closed. */
  readonly paced?: boolean;
}

/** Starts servers in processes of their own that process one queue. */
export async function startServers(
  urls: readonly string[],
  queue: string,
  count: number,
  concurrency: number,
  { paced = false }: Pacing = {},
): Promise<Child[]> {
  const env = { QUEUE: queue, CONCURRENCY: String(concurrency), ...(paced && { PACED: 'yes' }) };
  const servers = Array.from(
    { length: count },
    (_, index) => new Child(WORKER, { ...env, SERVICE_URL: urls[index % urls.length]!, SERVER: `s${index + 1}` }),
  );
  await Promise.all(servers.map((server) => server.told(/^ready/)));
  return servers;
}

export async function stopServers(servers: readonly Child[]): Promise<void> {
  for (const server of servers) server.signal('SIGTERM');
  await Promise.all(servers.map(({ ended }) => ended));
}

export const begunBy = ({ lines }: Child): string[] =>
  lines.flatMap((line) => (line.startsWith('began ') ? [line.slice('began '.length)] : []));

/**
 * Each server ends one of its first `count` tasks when all have begun as many. Afterwards each works at its own speed.
 */
export async function inStep(servers: readonly Child[], count: number): Promise<void> {
  for (let turn = 1; turn <= count; turn++) {
    await until(`every server to begin ${turn} tasks`, async () =>
      servers.every((server) => begunBy(server).length >= turn) ? true : null,
    );
    for (const server of servers) server.tell('end one');
  }
  for (const server of servers) server.hangUp();
}

/** Resolves when this many tasks of the queue have succeeded. */
export async function allSucceeded(waybill: Waybill, queue: string, count: number): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let left = count;
  for await (const _ of waybill.events({ queue, type: 'TaskSucceeded', follow: true, signal })) {
    left -= 1;
    if (left === 0) return;
  }
  throw new Error(`Expected ${count} tasks of '${queue}' to succeed, but ${left} are left`);
}

export async function taskEvents(waybill: Waybill, queue: string): Promise<EventView[]> {
  const events: EventView[] = [];
  for await (const event of waybill.events({ queue, category: 'task' })) events.push(event);
  return events;
}

interface Busy {
  /** The maximum at any time, by the order of commits. */
  readonly most: number;
  readonly mostOnServer: ReadonlyMap<string, number>;
}

/**
 * How many tasks ran at once. A task runs from its claim to the end of its attempt, which includes the handler's time.
 */
export function busyness(events: readonly EventView[]): Busy {
  const running = new Map<string, string>();
  const mostOnServer = new Map<string, number>();
  let most = 0;
  for (const { type, stream, data } of events) {
    if (type === 'TaskClaimed') {
      const { server } = data as { server: string };
      running.set(stream, server);
      const here = [...running.values()].filter((name) => name === server).length;
      mostOnServer.set(server, Math.max(here, mostOnServer.get(server) ?? 0));
      most = Math.max(most, running.size);
    } else if (type !== 'TaskErrorReported') running.delete(stream);
  }
  return { most, mostOnServer };
}
