import {
  type CommandPreview,
  type EventView,
  type OperationId,
  OPERATIONS,
  type PreviewRequest,
} from '@waybill/contracts';
import type { Answer, Input, Transport, TransportOptions } from './transport.js';

/** Ends the method that gave a command which was only previewed: there is no answer to go on with. */
export class Previewed extends Error {
  override readonly name = 'Previewed';

  constructor(readonly preview: CommandPreview) {
    super('Expected an answer to a command, but it was only previewed');
  }
}

/** Previews every command that is given through it, and throws `Previewed`. Queries are as ever. */
export class PreviewTransport implements Transport {
  constructor(private readonly transport: Transport) {}

  async call(operation: OperationId, input: Input, options?: TransportOptions): Promise<Answer> {
    if (OPERATIONS[operation].idempotency === 'none') return this.transport.call(operation, input, options);
    const { 'idempotency-key': _key, 'if-match': tag, ...headers } = input.headers ?? {};
    const body = commandOf(operation, input, tag);
    const answer = await this.transport.call('previewCommand', { headers, body }, options);
    if (answer.status >= 400) return answer;
    throw new Previewed(answer.body as CommandPreview);
  }

  open(
    operation: OperationId,
    input: Input,
    signal?: AbortSignal,
    onPosition?: (position: string) => void,
  ): AsyncIterable<EventView> {
    return this.transport.open(operation, input, signal, onPosition);
  }
}

/** The service refuses operations that cannot be previewed. */
function commandOf(operation: OperationId, { path = {}, query, body }: Input, tag: string | undefined): object {
  const [on] = Object.values(path);
  return {
    operation: operation as PreviewRequest['operation'],
    ...(on !== undefined && { on }),
    ...(tag !== undefined && { ifVersion: Number(tag.replaceAll('"', '')) }),
    body: (OPERATIONS[operation].method === 'DELETE' ? query : body) ?? {},
  } satisfies PreviewRequest;
}

/** The preview of the command that `give` gives. */
export async function previewOf(give: () => Promise<unknown>): Promise<CommandPreview> {
  try {
    await give();
  } catch (error) {
    if (error instanceof Previewed) return error.preview;
    throw error;
  }
  throw new TypeError('Expected a function that gives a command, but it gave none');
}
