import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { WaybillError, WaybillUnavailable } from '@waybill/client';

interface Reply {
  status(code: number): { send(body: object): unknown };
}

/** Waybill's refusals, with their own status and sentence. */
@Catch(WaybillError, WaybillUnavailable)
export class ProblemsFilter implements ExceptionFilter<WaybillError | WaybillUnavailable> {
  catch(error: WaybillError | WaybillUnavailable, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<Reply>();
    if (error instanceof WaybillUnavailable) reply.status(503).send({ statusCode: 503, message: error.message });
    else reply.status(error.status).send({ statusCode: error.status, error: error.code, message: error.detail });
  }
}
