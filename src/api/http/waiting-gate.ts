import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../../application/kernel/application-error.js';
import type { FairRoom } from '../../domain/kernel/fair-room.js';
import type { ApiKeys } from '../access/api-keys.js';
import { holderOf } from '../access/holder.js';
import { endOf } from './ended.js';
import { whenOver } from './when-over.js';

/** Lets requests in that may wait long, and ends them with their API keys. */
export class WaitingGate {
  constructor(
    private readonly keys: ApiKeys | null,
    private readonly room: FairRoom,
  ) {}

  /**
   * Returns a signal that aborts when the wait must end, and when its client leaves. The request has been checked, so that
   * nothing is left of what its body was larger than it had to be. Throws `TOO_MANY_WAITING`.
   */
  admit(request: FastifyRequest, reply: FastifyReply): AbortSignal {
    const holder = holderOf(request);
    const lack = this.room.take(holder, 1);
    if (lack === 'room') throw new Refused({ code: 'TOO_MANY_WAITING', waiting: this.room.inUse });
    if (lack) throw new Refused({ code: 'TOO_MANY_WAITING', waiting: this.room.heldBy(holder), holder });
    whenOver(reply, () => this.room.giveBack(holder, 1));
    request.bodyRoom?.shrinkTo(0);
    return endOf(this.keys, request, reply);
  }
}
