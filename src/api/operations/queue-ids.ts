import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Refused } from '../../application/kernel/application-error.js';
import { FindQueueNames } from '../../projections/queues/queues.queries.js';
import { isUuid } from '../../domain/kernel/patterns.js';
import { withQueues } from '../../domain/search/rewritten.js';
import { SearchError } from '../../domain/search/search-error.js';
import type { Call } from './call.js';
import { Reads } from './reads.js';

/** Puts what `name` returns in the place of every queue that the request names beside its path. */
export type RenameQueues = (call: Call<never, never>, name: (queue: string) => string) => void;

/** A part of a request that names a queue, or several in a search. */
interface Naming {
  queue?: string;
  q?: string;
}

/** Renames the queues of these parts. */
export function renameIn(parts: readonly (Naming | undefined)[], name: (queue: string) => string): void {
  for (const part of parts) {
    if (part?.queue !== undefined) part.queue = name(part.queue);
    if (part?.q !== undefined) part.q = renamedSearch(part.q, name);
  }
}

/** A search that cannot be read stays, and is refused later. */
function renamedSearch(text: string, name: (queue: string) => string): string {
  try {
    return withQueues(text, name);
  } catch (error) {
    if (error instanceof SearchError) return text;
    throw error;
  }
}

/**
 * Replaces ids of queues by names where requests come in, so that whatever is behind knows a queue by one name. No queue has
 * a UUID as its name.
 */
@Injectable()
export class QueueIds {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

  /** Whether the request has an id in the place of a name. Hardly any has, and the others pay nothing. */
  static areIn(call: Call): boolean {
    return idsIn(call).size > 0;
  }

  /**
   * The calls with names instead of ids. An unknown id in a path is refused as `QUEUE_NOT_FOUND`; elsewhere it stays, and the
   * operation says that there is no such queue. `covered`: the queues that each call may know; null means all.
   */
  async replacedIn(
    calls: readonly Call[],
    covered: readonly (ReadonlySet<string> | null)[] = [],
  ): Promise<readonly Call[]> {
    const names = await this.namesOf(calls.flatMap((call) => [...idsIn(call)]));
    return calls.map((call, at) => named(call, nameOf(names, covered[at] ?? null)));
  }

  /** The queues by their names, where some are given by ids. */
  async namesIn(queues: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const ids = [...queues].filter(isId);
    if (ids.length === 0) return queues;
    const names = await this.namesOf(ids);
    return new Set([...queues].map((queue) => names.get(queue.toLowerCase()) ?? queue));
  }

  private async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const unique = [...new Set(ids.map((id) => id.toLowerCase()))];
    const look = () => this.queries.execute(new FindQueueNames(unique));
    return this.reads.found('queues', look, (names) => names.size === unique.length);
  }
}

type Name = (queue: string) => string;

/** An id without a name that the caller may know stays as it is. */
const nameOf =
  (names: ReadonlyMap<string, string>, covered: ReadonlySet<string> | null): Name =>
  (queue) => {
    const name = names.get(queue.toLowerCase());
    return name !== undefined && (covered === null || covered.has(name)) ? name : queue;
  };

function named(call: Call, name: Name): Call {
  call.operation.renameQueues(call, name);
  if (call.operation.on !== 'queue' || !isId(call.on)) return call;
  const on = name(call.on);
  if (isId(on)) throw new Refused({ code: 'QUEUE_NOT_FOUND', queue: on });
  return { ...call, on };
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
