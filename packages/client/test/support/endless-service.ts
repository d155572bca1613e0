import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from './until.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const PART_MS = 5;
/** A garbage collection of a test's heap takes long. */
const PARTS_TO_COLLECTION = 40;

/** Answers every request with parts without end, while this process collects garbage. */
export class EndlessService {
  private parts = 0;
  private answers = 0;

  private constructor(
    private readonly server: Server,
    private readonly contentType: string,
    /** The part to write from now on. */
    public part: string,
  ) {
    server.on('request', (_, response) => void this.answer(response));
  }

  static async start(contentType: string, part: string): Promise<EndlessService> {
    const service = new EndlessService(createServer(), contentType, part);
    await once(service.server.listen(0, '127.0.0.1'), 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves when this many parts were written, over all answers. */
  written(parts: number): Promise<void> {
    return until(() => this.parts >= parts);
  }

  /** Resolves when nobody reads an answer any more. */
  left(): Promise<void> {
    return until(() => this.answers === 0);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(response: ServerResponse): Promise<void> {
    this.answers++;
    response.writeHead(200, { 'content-type': this.contentType });
    const writing = setInterval(() => {
      response.write(this.part);
      if (++this.parts % PARTS_TO_COLLECTION === 0) collect();
    }, PART_MS);
    await once(response, 'close');
    clearInterval(writing);
    this.answers--;
  }
}
