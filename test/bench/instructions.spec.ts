import { expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instructionsIn, ownInstructionsIn } from '../../bench/instructions/cachegrind.mjs';

/** As valgrind writes it: a line of the source, and its instructions. */
const COUNTED = `desc: I1 cache:         32768 B, 64 B, 8-way associative
cmd: node lives.mjs 2000
events: Ir
fl=???
fn=???
0 1000
fn=v8::internal::compiler::GraphReducer::ReduceTop()
0 200
17 20
fn=void v8::internal::(anonymous namespace)::Visit<v8::internal::maglev::Graph>(int)
0 30
fn=v8::internal::Scanner::Next()
0 40
fn=v8::internal::String::Flatten(v8::internal::Isolate*)
12 500
fl=sha256.s
fn=sha256_block_data_order_avx2
0 7000
fn=Builtins_LoadIC
0 2
summary: 8792
`;

it('leaves the compilers of V8 and SHA out of the instructions of Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-counts-'));
  try {
    const file = join(folder, 'node');
    writeFileSync(file, COUNTED);
    expect(instructionsIn(file)).toBe(8792);
    expect(ownInstructionsIn(file)).toBe(1502);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
