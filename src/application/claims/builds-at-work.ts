import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../kernel/at-most.js';
import { AGGREGATES } from '../../domain/aggregates.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import type { CommandContext } from '../kernel/command-context.js';

const MOST_SEEN = 10_000;

/** Whose build got a task. */
export interface WorkerOfBuild {
  readonly queue: string;
  readonly worker: string;
  readonly server: string;
  readonly build?: string;
  readonly context: CommandContext;
}

/** Records the first claim of each build in a queue. A process looks once for each build. */
@Injectable()
export class BuildsAtWork {
  private readonly logger = new Logger(BuildsAtWork.name);
  private readonly seen = new LRUCache<string, true>(atMost(MOST_SEEN));

  constructor(private readonly commands: StreamCommands) {}

  /** A build that cannot be recorded now is looked at again with its next claim: the worker must get its tasks. */
  async record({ queue, build, worker, server, context }: WorkerOfBuild): Promise<void> {
    const id = `${queue}\n${build}`;
    if (build === undefined || this.seen.has(id)) return;
    this.seen.set(id, true);
    const { actor, correlationId } = context;
    const begin = { queue, build, worker, server };
    await this.commands.runOn(AGGREGATES.build, queue, begin, { actor, correlationId }).catch((error: unknown) => {
      this.seen.delete(id);
      this.logger.warn(
        `Expected to record that build '${build}' began in queue '${queue}', but: ${(error as Error).message}. Its next claim tries again`,
      );
    });
  }
}
