import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fromBase64 } from '../../src/domain/kernel/base64.js';
import { isConsistent, type TreeHead } from '../../src/domain/merkle/proofs.js';
import { type Checkpoint, parseCheckpoint } from '../../src/domain/seals/checkpoint.js';
import { noteText, parseNote } from '../../src/domain/seals/note.js';
import { type NoteKey, noteKey, verifierKey } from '../../src/domain/seals/note-key.js';
import { cosignature } from '../../src/domain/seals/signers.js';
import { hashing, sha256 } from '../../src/infrastructure/notary/node-signing.js';
import { signingKey } from './tree-hashing.js';

interface Answer {
  readonly status: number;
  readonly body: string;
}

const EMPTY: TreeHead = { size: 0, root: hashing.empty };

/** Cosigns as c2sp.org/tlog-witness says, of logs by any key. */
export class TestWitness {
  /** What it cosigned last, by the names of logs. */
  readonly seen = new Map<string, TreeHead>();
  /** Every seal that it was ever asked for. */
  readonly asked: Checkpoint[] = [];
  readonly key: NoteKey;
  /** Answers as a server that is down. */
  isAway = false;
  /** Milliseconds since 1970. */
  clock = (): number => Date.now();
  private readonly sign;

  private constructor(
    name: string,
    private readonly server: Server,
  ) {
    const { publicKey, sign } = signingKey();
    this.key = noteKey(name, 'witness', publicKey, sha256);
    this.sign = sign;
    server.on('request', (request: IncomingMessage, response) => {
      void this.answered(request).then(({ status, body }) => response.writeHead(status).end(body));
    });
  }

  static async start(name: string): Promise<TestWitness> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestWitness(name, server);
  }

  /** As the configuration has it. */
  get options() {
    const { port } = this.server.address() as AddressInfo;
    return { key: verifierKey(this.key), url: `http://127.0.0.1:${port}/witness/` };
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answered(request: IncomingMessage): Promise<Answer> {
    const body = await text(request);
    if (this.isAway) return { status: 503, body: 'away' };
    if (request.method !== 'POST' || request.url !== '/witness/add-checkpoint') return { status: 404, body: '' };
    const [head = '', ...seal] = body.split('\n\n');
    const [old = '', ...proof] = head.split('\n');
    return this.added(
      Number(old.replace(/^old /, '')),
      proof.map((line) => fromBase64(line)!),
      seal.join('\n\n'),
    );
  }

  private added(old: number, proof: readonly Uint8Array[], seal: string): Answer {
    const note = parseNote(seal);
    const { origin, ...head } = parseCheckpoint(note.text);
    this.asked.push({ origin, ...head });
    const seen = this.seen.get(origin) ?? EMPTY;
    if (old > head.size) return { status: 400, body: 'old is larger' };
    if (old !== seen.size) return { status: 409, body: `${seen.size}\n` };
    if (!isConsistent(seen, head, proof, hashing))
      return old === head.size ? { status: 409, body: `${seen.size}\n` } : { status: 422, body: 'no beginning' };
    this.seen.set(origin, head);
    const line = cosignature(this.key, note.text, Math.floor(this.clock() / 1_000), this.sign);
    return { status: 200, body: noteText({ text: '', signatures: [line] }).slice(1) };
  }
}
