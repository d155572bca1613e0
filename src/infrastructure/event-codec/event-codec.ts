import { EVENTS } from '../../domain/events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { objectIn, type SegmentText, segmentText } from './segment-text.js';
import type { EventDeclaration } from '../../domain/kernel/event-declaration.js';

/** The parts of an event's declaration that are needed to write and to read it. */
export type EventSchema = Pick<EventDeclaration, 'version' | 'upcasters' | 'shared' | 'private'>;

/** A stored event that this program does not know. Reading stops there instead of skipping a fact. */
export class UnknownEventError extends Error {
  override readonly name = 'UnknownEventError';
}

/**
 * Converts between stored text and domain events. Every stored version stays readable forever: old ones are upcast step
 * by step.
 */
export class EventCodec {
  constructor(private readonly schemas: ReadonlyMap<string, EventSchema>) {}

  /**
   * Throws unless the event is of a registered type in its current version, so that nothing is stored that cannot be
   * read.
   */
  encode(event: DomainEvent): string {
    this.writable(event.type, event.version);
    return JSON.stringify(event.data);
  }

  /** Like `encode`, for the data of events of one type that are stored together. */
  encodeAll(type: string, version: number, data: readonly object[]): SegmentText {
    const { shared = [], private: isPrivate = null } = this.writable(type, version);
    return segmentText(data, shared, isPrivate);
  }

  private writable(type: string, version: number): EventSchema {
    const schema = this.schemas.get(type);
    if (schema?.version !== version) throw unknown(type, version);
    return schema;
  }

  /** Like `decode`, but returns an unknown event as it was stored. The reader of the log decides what to do with it. */
  decodeAny(type: string, version: number, data: string): DomainEvent {
    return this.upcastAny(type, version, objectIn(data));
  }

  /** Throws `UnknownEventError` on a type or version that this program does not know. */
  decode(type: string, version: number, data: string): DomainEvent {
    return this.upcast(type, version, objectIn(data));
  }

  /** Like `decodeAny`, for a store whose client has already parsed the text. */
  upcastAny(type: string, version: number, data: object): DomainEvent {
    const schema = this.schemas.get(type);
    const known = schema && version <= schema.version;
    return known ? this.upcast(type, version, data) : { type, version, data };
  }

  /** The version in which `upcastAll` answers events of a stored version. */
  versionRead(type: string, version: number): number {
    const schema = this.schemas.get(type);
    return schema && version <= schema.version ? schema.version : version;
  }

  /** Throws `UnknownEventError` if `upcastAny` returns such an event as it was stored. */
  assertKnown({ type, version }: Pick<DomainEvent, 'type' | 'version'>): void {
    if (this.schemas.get(type)?.version !== version) throw unknown(type, version);
  }

  /** As `upcastAny`, for the data of events that were stored together. */
  upcastAll(type: string, version: number, data: readonly object[]): readonly object[] {
    if (this.versionRead(type, version) === version) return data;
    return data.map((one) => this.upcast(type, version, one).data);
  }

  /** Like `decode`, for a store whose client has already parsed the text. */
  upcast(type: string, version: number, data: object): DomainEvent {
    const schema = this.schemas.get(type);
    if (!schema || version > schema.version || version < 1) throw unknown(type, version);
    let current = data;
    for (let from = version; from < schema.version; from++) {
      const upcast = schema.upcasters?.[from];
      if (!upcast) throw unknown(type, from);
      current = upcast(current);
    }
    return { type, version: schema.version, data: current };
  }
}

const unknown = (type: string, version: number): UnknownEventError =>
  new UnknownEventError(`Expected an event that this version of Waybill knows, but met '${type}' version ${version}`);

/** The codec for the events of the catalogue. */
export const eventCodec = new EventCodec(new Map(Object.entries(EVENTS)));
