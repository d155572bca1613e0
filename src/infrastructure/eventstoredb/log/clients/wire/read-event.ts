import { MessageReader } from './message-reader.js';

const NOTHING = Buffer.alloc(0);

/** The numbers of fields: of an answer, of the event in it, of what is recorded of the event, and of its id. */
const EVENT = 1;
const [RECORDED, LINK, POSITION] = [1, 2, 3];
const [ID, STREAM, REVISION, PREPARE, COMMIT, ABOUT, METADATA, DATA] = [1, 2, 3, 4, 5, 6, 7, 8];
const [KEY, VALUE] = [1, 2];
const ID_IN_TEXT = 2;
const NAME = 3;

/**
 * The event in an answer of the server to a read or a subscription, with the methods by which both clients ask for its parts. Null if the
 * answer is no event, or has what this does not read: a link, or an id that is no text.
 */
export function eventAnswer(bytes: Buffer): object | null {
  const answer = new MessageReader(bytes);
  if (!answer.next() || answer.field !== EVENT) return null;
  const [event, recorded] = [answer.message(), new RecordedEvent()];
  let position: bigint | null = null;
  while (event.next()) {
    if (event.field === LINK) return null;
    else if (event.field === RECORDED) recorded.read(event.message());
    else if (event.field === POSITION) position = event.number();
  }
  return recorded.id === null ? null : new EventAnswer(new ReadEvent(recorded, position));
}

class EventAnswer {
  constructor(private readonly event: ReadEvent) {}

  hasEvent(): true {
    return true;
  }
  getEvent(): ReadEvent {
    return this.event;
  }
}

class ReadEvent {
  constructor(
    private readonly recorded: RecordedEvent,
    private readonly position: bigint | null,
  ) {}

  hasEvent(): true {
    return true;
  }
  getEvent(): RecordedEvent {
    return this.recorded;
  }
  hasLink(): false {
    return false;
  }
  hasCommitPosition(): boolean {
    return this.position !== null;
  }
  getCommitPosition(): bigint | null {
    return this.position;
  }
}

class RecordedEvent {
  /** Null if it is no text. */
  id: string | null = null;
  private readonly about = new Map<string, string>();
  private stream: Buffer | null = null;
  private revision = 0n;
  private prepare = 0n;
  private commit = 0n;
  private metadata: Buffer = NOTHING;
  private data: Buffer = NOTHING;

  read(message: MessageReader): void {
    while (message.next()) this.readField(message);
  }

  private readField(message: MessageReader): void {
    switch (message.field) {
      case ID:
        this.id = fieldOf(message.message(), ID_IN_TEXT)?.text() ?? null;
        break;
      case STREAM:
        this.stream = fieldOf(message.message(), NAME)?.content() ?? NOTHING;
        break;
      case REVISION:
        this.revision = message.number();
        break;
      case PREPARE:
        this.prepare = message.number();
        break;
      case COMMIT:
        this.commit = message.number();
        break;
      case ABOUT:
        this.readAbout(message.message());
        break;
      case METADATA:
        this.metadata = message.content();
        break;
      case DATA:
        this.data = message.content();
        break;
    }
  }

  /** Its type, the format of its content, and when it was stored. */
  private readAbout(entry: MessageReader): void {
    let [key, value] = ['', ''];
    while (entry.next()) {
      if (entry.field === KEY) key = entry.text();
      else if (entry.field === VALUE) value = entry.text();
    }
    this.about.set(key, value);
  }

  hasId(): true {
    return true;
  }
  getId(): this {
    return this;
  }
  hasStructured(): false {
    return false;
  }
  getString(): string {
    return this.id!;
  }
  hasStreamIdentifier(): boolean {
    return this.stream !== null;
  }
  getStreamIdentifier(): this {
    return this;
  }
  getStreamName(): Buffer {
    return this.stream!;
  }
  getStreamRevision(): bigint {
    return this.revision;
  }
  getPreparePosition(): bigint {
    return this.prepare;
  }
  getCommitPosition(): bigint {
    return this.commit;
  }
  getMetadataMap(): ReadonlyMap<string, string> {
    return this.about;
  }
  getCustomMetadata_asU8(): Uint8Array {
    return asArray(this.metadata);
  }
  getData(): Buffer {
    return this.data;
  }
  getData_asU8(): Uint8Array {
    return asArray(this.data);
  }
}

const asArray = ({ buffer, byteOffset, length }: Buffer): Uint8Array => new Uint8Array(buffer, byteOffset, length);

/** The message at this field, to read its value next; null if it has none. */
function fieldOf(message: MessageReader, field: number): MessageReader | null {
  while (message.next()) if (message.field === field) return message;
  return null;
}
