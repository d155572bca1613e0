import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { unlike } from './match.mjs';
import { ScriptedService } from './scripted-service.mjs';

const CASES = new URL('./cases/', import.meta.url);

/** How long the program may take for one order, and the service may wait for a request. */
const PATIENCE_MS = 60_000;

export const cases = readdirSync(CASES)
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(new URL(file, CASES), 'utf8')));

/** Asks the program, one order at a time. */
class Program {
  #orders = [];
  #waiting = null;
  #answers = new Map();
  #ended = null;

  /** The answer of the program to an order. */
  ask(order) {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      this.#answers.set(order.id, { resolve, reject });
      this.#orders.push(order);
      this.#hand();
    });
  }

  /** No order comes any more. */
  end() {
    this.#orders.push(null);
    this.#hand();
  }

  /** The program is gone: whatever it was asked, it does not answer. */
  gone(reason) {
    this.#ended = reason;
    for (const { reject } of this.#answers.values()) reject(reason);
  }

  get isGone() {
    return this.#ended !== null;
  }

  handle(request, response, body) {
    const { pathname } = new URL(request.url, 'http://driver');
    if (pathname === '/next') {
      this.#waiting = response;
      return this.#hand();
    }
    const id = pathname.replace('/answers/', '');
    this.#answers.get(id)?.resolve(body);
    this.#answers.delete(id);
    response.writeHead(204).end();
  }

  #hand() {
    if (this.#waiting === null || this.#orders.length === 0) return;
    const [response, order] = [this.#waiting, this.#orders.shift()];
    this.#waiting = null;
    if (order === null) response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(order));
  }
}

/** What is wrong with what the program did in a case; empty if it passes. */
async function faultsIn(each, number, program, url) {
  const service = new ScriptedService(each.service);
  services.set(String(number), service);
  const faults = [];
  const bound = new Map();
  for (const [index, step] of each.calls.entries()) {
    if (step.until) {
      await withPatience(
        service.until(step.until),
        () => `Expected ${JSON.stringify(step.until)}, but got ${service.summary()}`,
      );
      continue;
    }
    const { call, with: given = {} } = step;
    const order = {
      id: `${number}.${index}`,
      url: `${url}/cases/${number}`,
      client: each.client ?? {},
      call,
      with: given,
    };
    const said = await withPatience(program.ask(order), () => `Expected an answer to '${call}', but there is none`);
    const { answer, error } = step;
    faults.push(...unlike(error === undefined ? { answer: answer ?? '$any' } : { error }, said, `'${call}'`, bound));
  }
  for (const [route, expected] of Object.entries(each.requests ?? {}))
    faults.push(...unlike(expected, service.requestsOf(route), route, bound));
  for (const [route, expected] of Object.entries(each.requestsFirst ?? {}))
    faults.push(...unlike(expected, service.requestsOf(route).slice(0, expected.length), `the first ${route}`, bound));
  service.end();
  return faults;
}

const services = new Map();

async function withPatience(promise, words) {
  let timer;
  const tooLate = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(words())), PATIENCE_MS)));
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function bodyOf(request) {
  let text = '';
  for await (const part of request) text += part;
  return text === '' ? undefined : JSON.parse(text);
}

/** Serves the program under test, and plays the service of the case that an address names. */
async function serve(program, request, response) {
  const body = await bodyOf(request);
  const [, number, path] = /^\/cases\/(\d+)(\/.*)$/.exec(request.url) ?? [];
  if (number === undefined) return program.handle(request, response, body);
  services.get(number).handle({ method: request.method, url: path, headers: request.headers, body }, response);
}

async function listening(program) {
  const server = createServer((request, response) => void serve(program, request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

/** Starts the program. Resolves `ended` when it has. */
function started([command, ...args], url) {
  const env = { ...process.env, CONFORMANCE_URL: url };
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  return { child, ended: new Promise((resolve) => child.on('close', resolve).on('error', resolve)) };
}

/** Runs cases against the program that the command starts, and resolves with `{ name, faults }` of each. */
export async function run(command, chosen = cases) {
  const program = new Program();
  const { server, url } = await listening(program);
  const { child, ended } = started(command, url);
  void ended.then((code) => program.gone(new Error(`Expected the program to answer, but it ended with ${code}`)));
  const results = [];
  for (const [number, each] of chosen.entries()) {
    const faults = await faultsIn(each, number, program, url).catch((error) => [error.message]);
    results.push({ name: each.name, faults });
    if (program.isGone) break;
  }
  program.end();
  await withPatience(ended, () => 'Expected the program to end after the last order, but it goes on').catch((error) => {
    child.kill('SIGKILL');
    results.push({ name: 'ends after the last order', faults: [error.message] });
  });
  server.closeAllConnections();
  server.close();
  return results;
}
