import { ApiProperty } from '@nestjs/swagger';
import { Choice, Closed, Flag, Instant, Integer, Part, Since, Text, Uuid } from '../input/fields.js';
import { POSITION } from '../input/since.js';
import { Count, Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { PageCursor, PageLimit } from './page.fields.js';

/** Without a position: seals follow the log by themselves. */
@Closed()
export class SealQuery {
  @PageCursor()
  cursor?: string;

  @PageLimit()
  limit?: number;
}

export class SealView {
  @Count({ description: 'The number of leaves: of segments of events in Postgres, of events in EventStoreDB.' })
  size!: number;

  @Position({ description: 'That of the last event that it covers.' })
  position!: string;

  @Text({ max: 44, description: 'The root of the tree, in Base64.' })
  root!: string;

  @Instant({})
  madeAt!: string;

  @ApiProperty({ type: [String], description: 'The names of the witnesses whose cosignatures it carries.' })
  witnesses!: string[];

  @Text({
    max: Limits.note,
    description:
      'The seal itself, as a signed checkpoint (c2sp.org/tlog-checkpoint). Keep it: `waybill verify` takes it.',
  })
  note!: string;
}

export class SealPage {
  @ApiProperty({ type: () => [SealView] })
  items!: SealView[];

  @Text({ max: Limits.cursor, nullable: true, description: 'null on the last page.' })
  nextCursor!: string | null;
}

export class SealingStopped {
  @Instant({})
  since!: string;

  @Text({ max: Limits.reason })
  reason!: string;
}

export class LostLog {
  @Count({ description: 'The number of leaves that were sealed last.' })
  size!: number;

  @Text({ max: Limits.note, description: 'What was signed last, as a signed checkpoint (c2sp.org/tlog-checkpoint).' })
  note!: string;
}

class SaidOfLog {
  @Choice(['loss', 'newKey'], {
    description: '`loss`: it does not go on from what was sealed. `newKey`: its key was retired.',
  })
  why!: 'loss' | 'newKey';

  @Position({ description: 'That of the event that says so, `LogLossAccepted` or `NotaryKeyRetired`.' })
  position!: string;

  @Instant({})
  at!: string;

  @Text({ max: Limits.actor, description: 'Who accepted the loss, or retired the key.' })
  by!: string;

  @Text({ max: Limits.reason, nullable: true })
  reason!: string | null;
}

export class LogBefore extends SaidOfLog {
  @Text({ max: Limits.note, description: 'The name of the log.' })
  name!: string;

  @Count({ description: 'The number of leaves that were sealed last.' })
  size!: number;

  @Text({ max: Limits.note, description: 'What was signed last of it.' })
  note!: string;
}

export class LogEnd extends SaidOfLog {
  @Count({
    nullable: true,
    description: 'The number of leaves that were sealed last. Null before the notary has carried out the order.',
  })
  size!: number | null;

  @Text({
    max: Limits.note,
    nullable: true,
    description:
      'What was signed last. After a new key, its line `next` has the key that comes next. Null before the notary has carried out the order.',
  })
  note!: string | null;
}

export class LogKeyView {
  @Text({ max: Limits.note, description: 'The name of the log that the key signs.' })
  name!: string;

  @Text({
    max: Limits.note,
    nullable: true,
    description: 'The public key, as verifiers take it. Null after a loss: the folder of the notary keeps it.',
  })
  key!: string | null;

  @Part(() => LogEnd, { nullable: true, description: 'Null while the log is sealed under this name.' })
  end!: LogEnd | null;
}

export class LogKeyList {
  @ApiProperty({ type: () => [LogKeyView], description: 'The first one first.' })
  items!: LogKeyView[];
}

@Closed()
export class NewKeyRequest {
  @Text({
    max: Limits.note,
    example: 'waybill/7c9e6679-7425-40de-944b-e07fc1f90ae7',
    description: 'The name of the log whose key to retire, as `name` of `GET /v1/log` says it.',
  })
  log!: string;

  @Text({
    max: Limits.reason,
    example: 'A copy of key.pem was found on another machine',
    description: 'The reason, which stays in the log.',
  })
  reason!: string;
}

@Closed()
export class LossRequest {
  @Integer({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'The number of leaves that were sealed last, as `lost` of `GET /v1/log` says it.',
  })
  size!: number;

  @Text({
    max: Limits.reason,
    example: 'The disk failed, and the backup of Monday was restored',
    description: 'The reason, which stays in the log.',
  })
  reason!: string;
}

export class LogAudited {
  @Instant({ description: 'When this pass over the log began.' })
  since!: string;

  @Position({ description: 'That of the last event whose text it has read.' })
  position!: string;
}

export class LogView {
  @Choice(['unsealed', 'sealing', 'stopped'], {
    description: '`unsealed`: nobody has sealed it yet. `stopped`: the notary signs nothing.',
  })
  state!: 'unsealed' | 'sealing' | 'stopped';

  @Text({ max: Limits.note, nullable: true, description: 'Null before there is a key.' })
  name!: string | null;

  @Text({
    max: Limits.note,
    nullable: true,
    description:
      'The public key, as verifiers take it. Compare it with the one that you kept: whoever verifies with a key that the service names believes the service.',
  })
  key!: string | null;

  @Part(() => SealingStopped, { nullable: true, description: 'Null unless the notary signs nothing.' })
  stopped!: SealingStopped | null;

  @Part(() => LostLog, {
    nullable: true,
    description:
      'What was signed last, if the log does not go on from it. `POST /v1/log/losses` accepts that. Otherwise null.',
  })
  lost!: LostLog | null;

  @Part(() => LogBefore, {
    nullable: true,
    description:
      'The log that was sealed before this one, if somebody accepted a loss or retired the key; the last one of them.',
  })
  before!: LogBefore | null;

  @Count({ description: 'The number of leaves in the tree, which the next seal covers.' })
  size!: number;

  @Position({ description: 'That of the last event in the tree; 0 if there is none.' })
  position!: string;

  @Part(() => SealView, { nullable: true, description: 'The last one; null before there is one.' })
  seal!: SealView | null;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    nullable: true,
    description: 'The age of the oldest event that no seal covers; 0 if there is none. Null before the first seal.',
  })
  lagSeconds!: number | null;

  @Part(() => LogAudited, {
    nullable: true,
    description:
      'How far the notary has made the digests of all events anew from their texts. It begins again once a day. Null before the first time.',
  })
  audited!: LogAudited | null;

  @Count({ description: 'How often a witness has refused a seal.' })
  witnessRefusals!: number;
}

@Closed()
export class ProofQuery {
  @Flag({
    optional: true,
    description:
      "With the private halves of the task's own events: payload, result, labels and so on. Needed if the events are in EventStoreDB.",
  })
  private?: boolean;
}

export class PrivateHalf {
  @Count({ description: 'Which event of the segment it is of, from 0.' })
  event!: number;

  @Text({
    max: Limits.note,
    description: 'In Base64. The SHA-256 of the salt and the half is the commitment in the text.',
  })
  salt!: string;

  @Text({ max: Limits.note, description: 'As stored.' })
  half!: string;
}

export class SegmentProof {
  @Position({ description: 'That of the first event of the segment.' })
  position!: string;

  @Text({ max: Limits.note, description: 'The line that stands for the segment in the tree of the log.' })
  leaf!: string;

  @Text({
    max: Limits.note,
    description:
      'The text of the segment, whose SHA-256 is in the leaf. It has the public halves of all events that were appended with it.',
  })
  text!: string;

  @Text({
    max: Limits.note,
    description: 'The proof that the leaf is in the tree, with the seal (c2sp.org/tlog-proof).',
  })
  proof!: string;

  @ApiProperty({ type: () => [PrivateHalf], description: 'Empty unless asked for.' })
  private!: PrivateHalf[];
}

export class TaskProof {
  @Choice(['waybill-proof'])
  format!: 'waybill-proof';

  @Integer({ min: 1, max: 1 })
  version!: 1;

  @Uuid({})
  task!: string;

  @Flag({ description: 'Whether the task has more events than the 500 that a proof takes.' })
  truncated!: boolean;

  @ApiProperty({ type: () => [SegmentProof], description: 'In the order of the log.' })
  segments!: SegmentProof[];
}

@Closed()
export class ExportQuery {
  @Text({ max: 100, pattern: QUEUE_NAME, optional: true, description: 'Only segments with events of this queue.' })
  queue?: string;

  @Since({
    optional: true,
    description: 'Only what was recorded from this time on, or from this long ago (such as `24h`).',
  })
  from?: string;

  @Since({ optional: true, description: 'Only what was recorded before this time, or up to this long ago.' })
  to?: string;

  @Flag({
    optional: true,
    description:
      'With the private halves of events: payload, result, labels and so on. Needed if the events are in EventStoreDB.',
  })
  private?: boolean;

  @Integer({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'The size of the seal whose log to take; the last seal if absent.',
  })
  size?: number;

  @Text({
    max: 18,
    pattern: POSITION,
    optional: true,
    description: 'Only the parts after the one with this position, to go on where a connection broke off.',
  })
  after?: string;
}

export class LogPart {
  @Choice(['Segment', 'LeftOut'], { description: '`LeftOut`: leaves whose segments were not asked for.' })
  type!: 'Segment' | 'LeftOut';

  @Position({ description: 'That of the last event of the part.' })
  position!: string;

  @Text({
    max: Limits.note,
    optional: true,
    description: 'Of a segment: the line that stands for it in the tree of the log.',
  })
  leaf?: string;

  @Text({
    max: Limits.note,
    optional: true,
    description: 'Of a segment: its text, whose SHA-256 is in the leaf.',
  })
  text?: string;

  @ApiProperty({ type: () => [PrivateHalf], required: false, description: 'Of a segment: empty unless asked for.' })
  private?: PrivateHalf[];

  @Count({ required: false, description: 'How many are left out.' })
  leaves?: number;

  @ApiProperty({
    type: [String],
    required: false,
    description:
      'In Base64: the roots of the largest complete subtrees that the leaves that are left out consist of, from left to right.',
  })
  hashes?: string[];
}
