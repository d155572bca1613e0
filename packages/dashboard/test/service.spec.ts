import { expect, it } from '@jest/globals';
import { canBeSent } from '../src/service.js';

it.each(['ann', 'José', 'ann (night shift)', ''])('can act as %j', (name) => expect(canBeSent(name)).toBe(true));

it.each(['Žofie', '日本', 'a\u202eb', 'a\u00adb', 'a\u0085b', 'a\nb', 'x'.repeat(101)])('cannot act as %j', (name) =>
  expect(canBeSent(name)).toBe(false),
);
