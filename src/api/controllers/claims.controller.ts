import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../caller.js';
import {
  ClaimRequest,
  ClaimResult,
  ExtendBatch,
  ExtendBatchResult,
  ExtendedLease,
  LeaseProof,
} from '../dto/claim.dto.js';
import { WorkerCommands } from '../http/endpoint.js';
import { ClientAbortSignal, RequestCaller } from '../http/parameters.js';
import { ClaimOperations } from '../operations/claim.operations.js';

@ApiTags('workers')
@Controller('v1')
export class ClaimsController {
  constructor(private readonly claims: ClaimOperations) {}

  @Post('queues/:queue/claims')
  @WorkerCommands({
    summary: 'Take tasks to work on',
    description: 'Waits up to `waitMs` for a first one; none is no error.',
    answers: ClaimResult,
    refuses: ['QUEUE_NOT_FOUND', 'CLAIM_ID_REUSED'],
  })
  claimTasks(
    @Param('queue') queue: string,
    @Body() body: ClaimRequest,
    @RequestCaller() caller: Caller,
    @ClientAbortSignal() gone: AbortSignal,
  ) {
    return this.claims.claimTasks(queue, body, caller, gone);
  }

  @Post('tasks/:id/extend')
  @WorkerCommands({ summary: 'Keep a claimed task', answers: ExtendedLease, refuses: ['TASK_NOT_FOUND', 'LEASE_LOST'] })
  extendLease(@Param('id') id: string, @Body() body: LeaseProof, @RequestCaller() caller: Caller) {
    return this.claims.extendLease(id, body, caller);
  }

  @Post('leases/extend')
  @WorkerCommands({ summary: 'Keep up to 1000 claimed tasks', answers: ExtendBatchResult })
  extendLeases(@Body() body: ExtendBatch, @RequestCaller() caller: Caller) {
    return this.claims.extendLeases(body, caller);
  }
}
