/** A service that answers as a case says, and remembers what it was asked. */
export class ScriptedService {
  #answers;
  #asked = new Map();
  #held = [];
  #waiting = [];

  constructor(answers) {
    this.#answers = answers;
  }

  handle({ method, url, headers, body }, response) {
    const address = new URL(url, 'http://service');
    const route = `${method} ${address.pathname}`;
    const asked = [...this.requestsOf(route), { query: Object.fromEntries(address.searchParams), headers, body }];
    this.#asked.set(route, asked);
    const answers = this.#answers[route] ?? [NOT_FOUND];
    this.#answer(answers[Math.min(asked.length, answers.length) - 1], body, response);
    for (const { counts, resolve } of this.#waiting) if (this.#hasGot(counts)) resolve();
  }

  requestsOf(route) {
    return this.#asked.get(route) ?? [];
  }

  /** Resolves when it has got so many requests of each route. */
  until(counts) {
    return new Promise((resolve) => {
      if (this.#hasGot(counts)) resolve();
      else this.#waiting.push({ counts, resolve });
    });
  }

  summary() {
    return JSON.stringify(Object.fromEntries([...this.#asked].map(([route, asked]) => [route, asked.length])));
  }

  /** Breaks what waits for an answer. */
  end() {
    for (const response of this.#held) response.destroy();
  }

  #hasGot(counts) {
    return Object.entries(counts).every(([route, count]) => this.requestsOf(route).length >= count);
  }

  #answer({ lose, hold, each, status = 200, headers = {}, body }, asked, response) {
    if (lose) return void response.destroy();
    if (hold && asked?.waitMs !== 0) return void this.#held.push(response);
    if (hold) body = { tasks: [], position: null };
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    const results = each && asked.items.map(({ taskId }) => ({ id: taskId, taskId, ...each }));
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(JSON.stringify(results ? { results, position: '9' } : body));
  }
}

const NOT_FOUND = {
  status: 404,
  body: {
    type: 'about:blank',
    title: 'Not found',
    status: 404,
    code: 'NOT_FOUND',
    detail: 'The case has no such route',
  },
};
