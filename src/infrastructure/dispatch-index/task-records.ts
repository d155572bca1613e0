import { RecordType } from '../database/record-parameters.js';
import type { TaskMove } from './changes/index-change.js';

/**
 * The records of steps of tasks, for `waybill_append` and, once the events are in the log of another store, for `waybill_apply`. Plain steps
 * are applied many at once, moves one after the other. `item` is the number of the append's item, from 1. `first` is the number of its event.
 */

/** A new task to offer, with no constraint to check except its key. */
export interface Create {
  readonly item: number;
  readonly task: string;
  readonly first: number;
  readonly queue: string;
  readonly kind: string;
  readonly key: string | null;
  readonly priority: number;
  /** JSON text. */
  readonly labels: string | null;
  readonly description: string | null;
  readonly due: string | null;
  readonly batch: string | null;
  /** The first step. */
  readonly step: string | null;
}

export const CREATE = new RecordType<Create>('waybill_create', (to, create) => {
  to.int4(create.item);
  to.uuid(create.task);
  to.int4(create.first);
  to.text(create.queue);
  to.text(create.kind);
  to.text(create.key);
  to.int4(create.priority);
  to.text(create.labels);
  to.text(create.description);
  to.timestamptz(create.due);
  to.uuid(create.batch);
  to.text(create.step);
});

export interface Claim {
  readonly item: number;
  readonly task: string;
  readonly expected: number;
  readonly first: number;
  readonly token: string;
  readonly attempt: number;
  /** The number, from 1, in the list of requests. */
  readonly request: number;
  /** When the run ends at the latest. */
  readonly until: string | null;
}

export const CLAIM = new RecordType<Claim>('waybill_claim', (to, claim) => {
  to.int4(claim.item);
  to.uuid(claim.task);
  to.int4(claim.expected);
  to.int4(claim.first);
  to.int8(claim.token);
  to.int4(claim.attempt);
  to.int4(claim.request);
  to.timestamptz(claim.until);
});

export interface ClaimRequest {
  readonly claim_id: string;
  readonly queue: string;
  readonly worker: string;
  readonly server: string;
  readonly holder: string | null;
  readonly secret: string | null;
  readonly lease_ms: number;
  readonly started: string;
}

export const CLAIM_REQUEST = new RecordType<ClaimRequest>('waybill_claim_request', (to, request) => {
  to.uuid(request.claim_id);
  to.text(request.queue);
  to.text(request.worker);
  to.text(request.server);
  to.text(request.holder);
  to.uuid(request.secret);
  to.int4(request.lease_ms);
  to.timestamptz(request.started);
});

/** A success under a claim. */
export interface Success {
  readonly item: number;
  readonly task: string;
  readonly expected: number;
  readonly first: number;
  readonly token: string;
  readonly secret: string;
}

export const SUCCESS = new RecordType<Success>('waybill_success', (to, success) => {
  to.int4(success.item);
  to.uuid(success.task);
  to.int4(success.expected);
  to.int4(success.first);
  to.int8(success.token);
  to.uuid(success.secret);
});

/** Any other step of a task. */
export const MOVE = new RecordType<TaskMove>('waybill_move', (to, move) => {
  to.text(move.state);
  to.bool(move.moved);
  to.jsonb(move.patch);
  to.bool(move.enters);
  to.bool(move.released);
  to.bool(move.retried);
  to.int8(move.placed);
  to.bool(move.stopped);
  to.text(move.hold);
  to.jsonb(move.after);
  to.bool(move.attempt_failed);
  to.bool(move.failed);
  to.bool(move.finished);
  to.jsonb(move.created);
  to.bool(move.rerun);
  to.jsonb(move.guards);
  to.jsonb(move.start);
  to.bool(move.cancel);
});

export const TASK_RECORDS: readonly { readonly create: string }[] = [CREATE, CLAIM, CLAIM_REQUEST, SUCCESS, MOVE];
