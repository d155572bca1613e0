import { WaybillError, WaybillUnavailable } from '@waybill/client';

/** Loops that are independent of each other and work as fast as they are answered. */
export class Participants {
  protected phase: 'racing' | 'calm' | 'over' = 'racing';
  private readonly loops: Promise<void>[] = [];

  /** Rejects with an unexpected error of any participant. */
  async stop(): Promise<void> {
    this.phase = 'over';
    await Promise.all(this.loops);
  }

  protected whileRacing(step: () => Promise<unknown>): void {
    this.loop(() => this.phase === 'racing', step);
  }

  protected untilOver(step: () => Promise<unknown>): void {
    this.loop(() => this.phase !== 'over', step);
  }

  private loop(goesOn: () => boolean, step: () => Promise<unknown>): void {
    const loop = again(goesOn, step);
    loop.catch(() => undefined); // reported by `stop`
    this.loops.push(loop);
  }
}

async function again(goesOn: () => boolean, step: () => Promise<unknown>): Promise<void> {
  while (goesOn()) await attempt(step);
}

/** A refusal is a normal answer, and so is that the service is busy. Returns the code of the refusal. */
export async function attempt(step: () => Promise<unknown>): Promise<string | null> {
  try {
    await step();
    return null;
  } catch (error) {
    if (error instanceof WaybillError && error.status !== 500) return error.code;
    if (error instanceof WaybillUnavailable) return null;
    throw error;
  }
}
