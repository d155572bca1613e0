import { derivedId as ofClient } from '@waybill/client';
import fc from 'fast-check';
import { derivedId } from '../../src/application/kernel/derived-id.js';

const UUID_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const namespaces = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n'));

describe('an id that is derived from a name', () => {
  it('is a UUID of version 8, always the same', () => {
    expect(derivedId('batch', '1')).toMatch(UUID_8);
    expect(derivedId('batch', '1')).toBe('c9d174d8-d797-85f8-b767-b98ef6a2e060');
  });

  it('is the same in the client', async () => {
    await fc.assert(
      fc.asyncProperty(namespaces, fc.string({ unit: 'grapheme' }), async (namespace, name) => {
        expect(await ofClient(namespace, name)).toBe(derivedId(namespace, name));
      }),
    );
  });

  it('differs in another namespace, even if the texts together are equal', () => {
    expect(derivedId('ab', 'c')).not.toBe(derivedId('a', 'bc'));
  });

  it('needs a namespace of one line', async () => {
    await expect(ofClient('a\nb', 'c')).rejects.toThrow('Expected a namespace of one line');
  });
});
