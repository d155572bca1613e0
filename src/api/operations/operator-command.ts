import type { Command } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../../application/kernel/command-context.js';
import type { ReasonRequest } from '../dto/reason.dto.js';
import type { Validator } from '../input/validator.js';

/** A person's or a service's command on a task or a queue, once it is known in which context it is given. */
export type OperatorCommand<C = Command<Receipt>> = (context: CommandContext) => C;

/**
 * What an operation makes of what it is asked, the body or the query, about one task or queue. Whoever asks may say why, whatever they
 * ask: the reason is recorded with all that follows. Throws `InvalidInput`.
 */
export const operatorCommand =
  <Asked extends ReasonRequest, C>(
    shape: Validator<Asked>,
    command: (of: string, asked: Asked, context: CommandContext) => C,
  ) =>
  (of: string, request: unknown): OperatorCommand<C> => {
    const asked = shape.of(request);
    const { reason } = asked;
    return (context) => command(of, asked, reason === undefined ? context : { ...context, reason });
  };
