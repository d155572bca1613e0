import type { AppendToStore, EventToStore } from '../store-client.port.js';
import { MessageWriter } from '../wire/message-writer.js';

/** The numbers of fields: of a request, of a record, of its schema, of a property, and of its value. */
const [STREAM, RECORDS, EXPECTED] = [1, 2, 3];
const [ID, PROPERTIES, SCHEMA, DATA] = [1, 2, 3, 4];
const [FORMAT, NAME] = [1, 2];
const [KEY, VALUE] = [1, 2];
const TEXT = 3;
const JSON_FORMAT = 1;

/** An `AppendRequest`: an append of a session, in protobuf's wire format. */
export function appendRequest({ stream, expected, events }: AppendToStore): Buffer {
  const writer = new MessageWriter();
  writer.signed(EXPECTED, expected);
  for (const event of events.toReversed()) writer.part(RECORDS, () => writeRecord(writer, event));
  writer.text(STREAM, stream);
  return writer.message;
}

function writeRecord(writer: MessageWriter, { id, type, data, metadata = {} }: EventToStore): void {
  writer.text(DATA, JSON.stringify(data));
  writer.part(SCHEMA, () => {
    writer.text(NAME, type);
    writer.number(FORMAT, JSON_FORMAT);
  });
  for (const [name, value] of Object.entries(metadata))
    writer.part(PROPERTIES, () => writeProperty(writer, name, value));
  writer.text(ID, id);
}

/** A session takes texts as metadata only. */
function writeProperty(writer: MessageWriter, name: string, value: unknown): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  writer.part(VALUE, () => writer.text(TEXT, text));
  writer.text(KEY, name);
}
