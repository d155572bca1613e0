import Module from 'node:module';

/**
 * The generated messages of `@eventstore/db-client` and of `@kurrent/kurrentdb-client` have the same names, and each
 * puts them into the global `proto`, from which it takes them when it needs them. In one process, the client that is
 * loaded second so replaces the messages of the first, although they are not the same. The service loads one of them
 * only; the tests and their fixture need both. This gives the second one a `proto` of its own.
 */
const APART = /@kurrent[\\/]kurrentdb-client[\\/]generated[\\/].*_pb\.js$/;
/** The messages of `google-protobuf` are those of both. */
const OWN = '{ proto: { google: { get protobuf() { return globalThis.proto.google.protobuf; } } } }';
/** Strict, because the files find the global object as `this` otherwise; without it, they take `self`. */
const OWN_GLOBALS = `'use strict'; const self = globalThis[Symbol.for('kurrent')] ??= ${OWN}; const { proto } = self; `;

const { _compile: compile } = Module.prototype;
Module.prototype._compile = function (code, filename, ...others) {
  return compile.call(this, APART.test(filename) ? OWN_GLOBALS + code : code, filename, ...others);
};
