import { Agent, request } from 'node:http';

/** Posts JSON to a service over kept connections, as any client does; with as little of Node's time as it needs. */
export class ServiceCaller {
  #agent = new Agent({ keepAlive: true });
  #url;

  constructor(url) {
    this.#url = url;
  }

  put = (path, body) => this.#send('PUT', path, body);
  post = (path, body) => this.#send('POST', path, body);

  #send(method, path, body) {
    const headers = { 'content-type': 'application/json', 'waybill-actor': 'bench' };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { agent: this.#agent, method, headers }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part)).on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (response.statusCode < 300) resolve(text ? JSON.parse(text) : null);
          else reject(new Error(`Expected ${method} ${path} to succeed, but got ${response.statusCode}: ${text}`));
        });
      });
      sent.on('error', reject).end(JSON.stringify(body));
    });
  }

  close() {
    this.#agent.destroy();
  }
}
