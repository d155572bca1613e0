import { OPERATIONS, type Answers, type Requests, type TransactionCommand } from '@waybill/contracts';
import type { Caller, CommandOptions } from './caller.js';
import type { Input } from './transport.js';

/** How a command is given: as a separate request, or collected for a transaction. */
export type Way = 'request' | 'transaction';

/** The reason, for the history. A separate request also takes options for the request. */
export type OptionsOf<W extends Way> = (W extends 'request' ? CommandOptions : unknown) & {
  /** The reason, for the history. */
  readonly reason?: string;
};

/** The answer to a separate request. Collected commands are answered together. */
export type CommandAnswer<W extends Way, O extends CommandId> = W extends 'request' ? Promise<Answers[O]> : void;

export type CommandId = TransactionCommand['operation'];

/** The content of a command, without the reason, which every command takes. */
export type CommandContent<O extends CommandId> = Omit<Requests[O], 'reason'>;

export type Give<W extends Way> = <O extends CommandId>(
  command: TransactionCommand & { readonly operation: O },
  options?: OptionsOf<W>,
) => CommandAnswer<W, O>;

/** Sends each command as a separate request. */
export const requestsOf =
  (caller: Caller): Give<'request'> =>
  (command, options) =>
    caller.call(command.operation, inputOf(command), options);

/** The separate request for a command in the form of a transaction's list. */
function inputOf({ operation, queue, id, ifVersion, body }: TransactionCommand): Input {
  return {
    path: queue === undefined ? { id: id! } : { queue },
    ...(OPERATIONS[operation].method === 'DELETE' ? { query: body as Input['query'] } : { body }),
    ...(ifVersion !== undefined && { headers: { 'if-match': `"${ifVersion}"` } }),
  };
}
