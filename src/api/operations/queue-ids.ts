import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Refused } from '../../application/kernel/application-error.js';
import { FindQueueNames } from '../../projections/queues/queues.queries.js';
import { isUuid } from '../input/formats.js';
import type { Call } from './call.js';

/** Puts what `name` returns in the place of every queue that the request names beside its path. */
export type RenameQueues = (call: Call<never, never>, name: (queue: string) => string) => void;

/** A part of a request that names a queue. */
interface Naming {
  queue?: string;
}

/** Renames the queues of these parts. */
export function renameIn(parts: readonly (Naming | undefined)[], name: (queue: string) => string): void {
  for (const part of parts) if (part?.queue !== undefined) part.queue = name(part.queue);
}

/**
 * Replaces ids of queues by names where requests come in, so that whatever is behind knows a queue by one name. No queue has
 * a UUID as its name.
 */
@Injectable()
export class QueueIds {
  constructor(private readonly queries: QueryBus) {}

  /** Whether the request has an id in the place of a name. Hardly any has, and the others pay nothing. */
  static areIn(call: Call): boolean {
    return idsIn(call).size > 0;
  }

  /**
   * The calls with names instead of ids. An unknown id in a path is refused as `QUEUE_NOT_FOUND`; elsewhere it stays, and the
   * operation says that there is no such queue.
   */
  async replacedIn(calls: readonly Call[]): Promise<readonly Call[]> {
    const names = await this.namesOf(calls.flatMap((call) => [...idsIn(call)]));
    const name = (queue: string): string => names.get(queue.toLowerCase()) ?? queue;
    return calls.map((call) => {
      call.operation.renameQueues(call, name);
      if (call.operation.on !== 'queue' || !isId(call.on)) return call;
      if (!names.has(call.on.toLowerCase())) throw new Refused({ code: 'QUEUE_NOT_FOUND', queue: call.on });
      return { ...call, on: name(call.on) };
    });
  }

  /** The names in the places of the ids among them. */
  async namesIn(queues: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const ids = [...queues].filter(isId);
    if (ids.length === 0) return queues;
    const names = await this.namesOf(ids);
    return new Set([...queues].map((queue) => names.get(queue.toLowerCase()) ?? queue));
  }

  private async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    return this.queries.execute(new FindQueueNames([...new Set(ids.map((id) => id.toLowerCase()))]));
  }
}

const isId = (queue: string): boolean => queue.length === 36 && isUuid(queue.toLowerCase());

function idsIn(call: Call): ReadonlySet<string> {
  const ids = new Set<string>();
  const note = (queue: string): string => {
    if (isId(queue)) ids.add(queue);
    return queue;
  };
  if (call.operation.on === 'queue') note(call.on);
  call.operation.renameQueues(call, note);
  return ids;
}
