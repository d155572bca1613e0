import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { headOf, type Answer } from '../answer.js';

/** Says in the status and the headers what an operation answered beside its body. */
@Injectable()
export class AnswerHead implements NestInterceptor<Answer<unknown>, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<Answer<unknown>>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer) => {
        const { status, headers } = headOf(answer);
        reply.code(status).headers(headers);
        return answer.body;
      }),
    );
  }
}
