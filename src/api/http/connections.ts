import { Logger } from '@nestjs/common';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { FairRoom, halfOfTheRest, type Lack } from '../../domain/kernel/fair-room.js';
import { Networks, networkOf } from '../access/networks.js';
import { answerAndClose } from './client-error.js';

/** The most connections that clients may have open at once with a process. */
export interface ConnectionLimits {
  readonly connections: number;
  /** Of one address, besides its share. If absent, only the share limits it. */
  readonly connectionsPerAddress?: number | undefined;
}

export const USUAL_CONNECTIONS: ConnectionLimits = { connections: 10_000 };

/** The log has one line about refused connections in this time. */
const SILENCE_MS = 60_000;

/**
 * Gives each address its share of the connections, before anything is known of a client but its address. A trusted proxy
 * may have all of them, because it stands for many.
 */
export class Connections {
  readonly room: FairRoom;
  private readonly logger = new Logger('Access');
  private readonly proxies: Networks;
  private toldAt = -Infinity;

  constructor(
    private readonly limits: ConnectionLimits,
    trustedProxies: readonly string[],
  ) {
    this.proxies = new Networks(trustedProxies);
    this.room = new FairRoom(limits.connections, (left, holder) => this.shareOf(holder, left));
  }

  watch(server: Server): this {
    server.on('connection', (socket: Socket) => this.admit(socket));
    return this;
  }

  private shareOf(holder: string, left: number): number {
    const { connectionsPerAddress = Infinity } = this.limits;
    return this.proxies.have(holder) ? left : Math.min(halfOfTheRest(left), connectionsPerAddress);
  }

  private admit(socket: Socket): void {
    const { remoteAddress = 'nowhere' } = socket;
    const holder = this.proxies.have(remoteAddress) ? remoteAddress : networkOf(remoteAddress);
    const lack = this.room.take(holder, 1);
    if (lack) this.refuse(socket, holder, lack);
    else socket.once('close', () => this.room.giveBack(holder, 1));
  }

  private refuse(socket: Socket, holder: string, lack: Lack): void {
    const [whose, limit] =
      lack === 'share'
        ? [` of ${holder}`, `what one address may have of ${this.room.most}`]
        : ['', String(this.room.most)];
    const detail = `Expected the open connections${whose} to be at most ${limit}, but this would be one more: close some, or try again later`;
    this.tell(detail);
    answerAndClose(socket, 'TOO_MANY_CONNECTIONS', detail, { 'retry-after': '1' });
  }

  private tell(detail: string): void {
    const now = performance.now();
    if (now - this.toldAt < SILENCE_MS) return;
    this.toldAt = now;
    this.logger.warn(`Refused a connection (further ones are not logged for a minute). ${detail}`);
  }
}
