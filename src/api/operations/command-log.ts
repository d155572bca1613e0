import { Injectable, Logger } from '@nestjs/common';
import { traceIdOf } from '../../domain/kernel/trace-id.js';
import type { Call } from './call.js';

/**
 * Logs the commands that people give, one line each, with who gave it, to what, and within which trace. Submissions, claims and reports, of which
 * there are thousands, are not among them. Reasons and payloads are not told: a log cannot forget what is erased.
 */
@Injectable()
export class CommandLog {
  private readonly logger = new Logger('Command');

  carriedOut(call: Call): void {
    const { operation, on, caller } = call;
    if (operation.hot || operation.idempotency === 'none' || caller.isService || caller.unit) return;
    this.logger.log({
      msg: `${operation.id} by ${caller.actor ?? 'anonymous'}`,
      operation: operation.id,
      ...(operation.on !== null && { [operation.on]: on }),
      actor: caller.actor ?? 'anonymous',
      ...(caller.agent !== null && { agent: caller.agent }),
      requestId: caller.requestId,
      ...(caller.traceparent !== null && { traceId: traceIdOf(caller.traceparent) }),
    });
  }
}
