import {
  EventCodec,
  type EventSchema,
  UnknownEventError,
} from '../../../src/infrastructure/event-codec/event-codec.js';

describe('EventCodec', () => {
  const codec = new EventCodec(
    new Map<string, EventSchema>([
      [
        'Moved',
        {
          version: 3,
          upcasters: {
            1: (data: object) => ({ ...data, unit: 'm' }),
            2: ({ far, ...data }: { far?: number }) => ({ ...data, distance: far }),
          },
        },
      ],
      ['Torn', { version: 3, upcasters: { 1: (data: object) => data } }],
    ]),
  );
  const reads = [
    ['decode', (...stored: [string, number, string]) => codec.decode(...stored)],
    ['decodeAny', (...stored: [string, number, string]) => codec.decodeAny(...stored)],
  ] as const;

  it.each(reads)('upcasts an old event through every later version (%s)', (_, decode) => {
    const today = { type: 'Moved', version: 3, data: { unit: 'm', distance: 7 } };
    expect(decode('Moved', 1, '{"far":7}')).toEqual(today);
    expect(decode('Moved', 2, '{"unit":"m","far":7}')).toEqual(today);
    expect(decode('Moved', 3, '{"unit":"m","distance":7}')).toEqual(today);
  });

  it.each(reads)('refuses an event whose upcasters lack a step (%s)', (_, decode) => {
    expect(() => decode('Torn', 1, '{}')).toThrow(
      new UnknownEventError("Expected an event that this version of Waybill knows, but met 'Torn' version 2"),
    );
  });

  it.each([
    ['of a later version', 'Moved', 4],
    ['of an unknown type', 'Lost', 1],
  ])('refuses an event %s, or returns it as stored if the reader asks for that', (_, type, version) => {
    expect(() => codec.decode(type, version, '{"far":7}')).toThrow(UnknownEventError);
    expect(codec.decodeAny(type, version, '{"far":7}')).toEqual({ type, version, data: { far: 7 } });
  });

  it.each([
    ['of an unknown type', 'Lost', 1],
    ['of an earlier version', 'Moved', 2],
    ['of a later version', 'Moved', 4],
  ])('refuses to store an event %s', (_, type, version) => {
    expect(() => codec.encode({ type, version, data: {} })).toThrow(UnknownEventError);
  });

  it('stores the data of an event in its current version', () => {
    expect(codec.encode({ type: 'Moved', version: 3, data: { distance: 7 } })).toBe('{"distance":7}');
  });
});
