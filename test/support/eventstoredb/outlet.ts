import type * as grpc from '@grpc/grpc-js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';

export type ReadCall = grpc.ServerWritableStream<streams.ReadReq, streams.ReadResp>;

const NEWS = ['drain', 'cancelled', 'close'] as const;

/** Sends the messages of a read at the client's pace. */
export class Outlet {
  constructor(
    private readonly call: ReadCall,
    private readonly onSent: () => void,
  ) {}

  get isOpen(): boolean {
    return !this.call.cancelled && !this.call.writableEnded;
  }

  /** Resolves when the client has room for more; false if it has left. */
  async send(message: streams.ReadResp): Promise<boolean> {
    if (!this.isOpen) return false;
    this.onSent();
    if (!this.call.write(message)) await this.news();
    return this.isOpen;
  }

  private news(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        for (const name of NEWS) this.call.off(name, done);
        resolve();
      };
      for (const name of NEWS) this.call.on(name, done);
    });
  }
}
