import { Controller, Logger, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TurnRequest, TurnResult } from '../dto/turn.dto.js';
import { WorkerEndpoint } from '../http/endpoint.js';
import { storableAt } from '../input/storable.js';
import type { Call } from '../operations/call.js';
import { type ClaimBody, Claiming } from '../operations/claiming.js';
import { newerPosition } from '../operations/outcomes.js';
import { Scopes } from '../operations/scopes.js';
import { Settling } from '../operations/settling.js';
import { problemOf } from '../problems/problem-of-error.js';
import type { Problem } from '../problems/problem.js';

@ApiTags('workers')
@Controller('v1')
export class TurnsController {
  private readonly logger = new Logger(TurnsController.name);

  constructor(
    private readonly settling: Settling,
    private readonly claiming: Claiming,
    private readonly scopes: Scopes,
  ) {}

  @Post('queues/:queue/turns')
  @WorkerEndpoint({
    on: 'queue',
    hot: true,
    summary: 'Settle up to 1000 tasks and claim others',
    description:
      'Settles as `settleTasks` does and then claims as `claimTasks` does, in one request, without waiting for a task. What the settlements free, such as a key or a place on the server, the claim may take. A refused item does not affect the others, nor the claim; a claim that fails is in `problem` and affects no result.',
    body: TurnRequest,
    mends: storableAt('items', '*', 'verdict', 'error'),
    answers: TurnResult,
  })
  async takeTurn(call: Call<TurnRequest>) {
    const settled = await this.settling.settle(call, call.body.worker);
    const claimed = await this.claimOf(call);
    return { body: { ...settled, ...claimed, position: newerPosition(settled.position, claimed.position) } };
  }

  /** What was settled is recorded, so an error of the claim is a part of the answer and not the answer. */
  private async claimOf(call: Call<TurnRequest>): Promise<ClaimBody & { readonly problem?: Problem }> {
    try {
      return await this.claiming.claim(call, 0);
    } catch (error) {
      return { tasks: [], position: null, problem: await this.problemFrom(error, call) };
    }
  }

  private async problemFrom(error: unknown, call: Call): Promise<Problem> {
    const { problem, unexpected } = problemOf(await this.scopes.visibleError(call, error));
    if (!unexpected) return problem;
    const { requestId: traceId } = call.caller;
    this.logger.error(`The claim of ${call.operation.id} failed (traceId ${traceId}): ${stackOf(error)}`);
    return { ...problem, traceId };
  }
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
