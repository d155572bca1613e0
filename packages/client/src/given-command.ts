import { OPERATIONS, type Answers, type Requests, type TransactionCommand } from '@waybill/contracts';
import type { Caller, CommandOptions } from './caller.js';
import type { Input } from './transport.js';

/** How a command is given: as a request of its own, or collected with others for a transaction. */
export type Way = 'request' | 'transaction';

/** Why, for the history; and, of a request of its own, how it is made. */
export type OptionsOf<W extends Way> = (W extends 'request' ? CommandOptions : unknown) & {
  /** Why, for the history. */
  readonly reason?: string;
};

/** The answer to a request of its own. Collected commands are answered together. */
export type Given<W extends Way, O extends CommandId> = W extends 'request' ? Promise<Answers[O]> : void;

export type CommandId = TransactionCommand['operation'];

/** What is said with a command beside the reason, which every command takes. */
export type Said<O extends CommandId> = Omit<Requests[O], 'reason'>;

export type Give<W extends Way> = <O extends CommandId>(
  command: TransactionCommand & { readonly operation: O },
  options?: OptionsOf<W>,
) => Given<W, O>;

/** Gives each command as a request of its own. */
export const requestsOf =
  (caller: Caller): Give<'request'> =>
  (command, options) =>
    caller.call(command.operation, inputOf(command), options);

/** What a transaction carries in its list, as the request that it is alone. */
function inputOf({ operation, queue, id, ifVersion, body }: TransactionCommand): Input {
  return {
    path: queue === undefined ? { id: id! } : { queue },
    ...(OPERATIONS[operation].method === 'DELETE' ? { query: body as Input['query'] } : { body }),
    ...(ifVersion !== undefined && { headers: { 'if-match': `"${ifVersion}"` } }),
  };
}
