import type { AppendToStore, EventToStore } from '../store-client.port.js';
import { MessageWriter } from './message-writer.js';

/** The numbers of fields: of a request, of its options, and of an event in it. */
const [CORRELATION, OPTIONS, EVENTS, IS_FINAL] = [1, 2, 3, 4];
const [STREAM, REVISION, NO_EVENTS, DEADLINE] = [1, 2, 3, 6];
const [ID, ABOUT, METADATA, DATA] = [1, 2, 3, 4];
const [KEY, VALUE] = [1, 2];
const [NAME, TEXT_OF_ID, SECONDS] = [3, 2, 1];

/** A `BatchAppendReq` in protobuf's wire format: the whole of an append. `deadline` is in seconds since 1970. */
export function batchAppend(id: string, { stream, expected, events }: AppendToStore, deadline: number): Buffer {
  const writer = new MessageWriter();
  writer.number(IS_FINAL, 1);
  for (const event of events.toReversed()) writer.part(EVENTS, () => writeEvent(writer, event));
  writer.part(OPTIONS, () => {
    writer.part(DEADLINE, () => writer.number(SECONDS, deadline));
    if (expected < 0) writer.part(NO_EVENTS, () => undefined);
    else writer.number(REVISION, expected);
    writer.part(STREAM, () => writer.text(NAME, stream));
  });
  writer.part(CORRELATION, () => writer.text(TEXT_OF_ID, id));
  return writer.message;
}

function writeEvent(writer: MessageWriter, { id, type, data, metadata }: EventToStore): void {
  writer.text(DATA, JSON.stringify(data));
  if (metadata) writer.text(METADATA, JSON.stringify(metadata));
  writeAbout(writer, 'content-type', 'application/json');
  writeAbout(writer, 'type', type);
  writer.part(ID, () => writer.text(TEXT_OF_ID, id));
}

const writeAbout = (writer: MessageWriter, key: string, value: string): void =>
  writer.part(ABOUT, () => {
    writer.text(VALUE, value);
    writer.text(KEY, key);
  });
