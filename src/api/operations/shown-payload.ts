import { Injectable } from '@nestjs/common';
import { Refused } from '../../application/kernel/application-error.js';
import { OutsidePayloads } from '../../application/kernel/outside-payloads.js';
import type { Json } from '../../domain/kernel/json.js';
import { type OutsidePayload, outsidePayloadIn } from '../../domain/task/outside-payload.js';

/** Why a payload could not be read. */
type ReadProblem = 'PAYLOAD_MISSING' | 'PAYLOAD_CHANGED' | 'PAYLOAD_STORE_UNAVAILABLE';

interface Shown {
  readonly id: string;
  readonly payload: Json;
}

export interface Outside {
  readonly payloadOutside?: OutsidePayload & { readonly problem: ReadProblem | null };
}

/** Shows tasks with the payloads that are stored outside the log. */
@Injectable()
export class ShownPayloads {
  constructor(private readonly payloads: OutsidePayloads) {}

  /** If the payload cannot be read, the task is shown all the same, with why. */
  async in<T extends Shown>(task: T): Promise<T & Outside> {
    const outside = outsidePayloadIn(task.payload);
    if (outside === null) return task;
    const read = await this.payloads.read(task.id, task.payload).catch(refusalIn);
    return read instanceof Refused
      ? { ...task, payload: null, payloadOutside: { ...outside, problem: read.rejection.code as ReadProblem } }
      : { ...task, payload: read, payloadOutside: { ...outside, problem: null } };
  }
}

function refusalIn(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}
