/** Calls a service over HTTP. An answer says how long it took. */
export const callsTo =
  (url) =>
  async (method, path, body = {}) => {
    const began = performance.now();
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body) };
    const headers = { 'content-type': 'application/json', 'waybill-actor': 'bench' };
    const answer = await fetch(url + path, { method, headers, signal: AbortSignal.timeout(60_000), ...sent });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') && !text.includes('\n');
    const ms = performance.now() - began;
    return { status: answer.status, ms, body: isJson ? JSON.parse(text) : null, lines: text.trim().split('\n').length };
  };
