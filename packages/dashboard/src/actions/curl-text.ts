import { createWaybill, type Waybill } from '@waybill/client';
import { quoted } from './quoted.js';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** The request of the command that `give` gives, for curl. Nothing is sent. */
export async function curlText(
  url: string,
  actor: string,
  give: (waybill: Waybill) => Promise<unknown>,
): Promise<string> {
  let sent: Sent | undefined;
  const record: typeof fetch = async (input, init) => {
    const request = new Request(input as Request, init);
    sent ??= {
      url: request.url,
      method: request.method,
      headers: request.headers,
      body: init?.body as string | undefined,
    };
    throw new Error('Nothing is sent');
  };
  await give(createWaybill({ url, actor, fetch: record, retry: { attempts: 1 } })).catch(() => undefined);
  return sent ? linesOf(sent) : '';
}

/** What a program may leave out: the client makes them for each request. */
const OWN: readonly string[] = [
  'x-request-id',
  'idempotency-key',
  'accept',
  'user-agent',
  'waybill-client',
  'traceparent',
];

function linesOf({ url, method, headers, body }: Sent): string {
  const said = [...headers].filter(([name]) => !OWN.includes(name));
  return [
    `curl -X ${method} ${quoted(url)}`,
    ...said.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    '-H "authorization: Bearer $WAYBILL_API_KEY"',
    ...(body ? [`-d ${quoted(body)}`] : []),
  ].join(' \\\n  ');
}
