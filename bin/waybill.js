#!/usr/bin/env node
import { checkNode } from './check-node.js';

checkNode();

/** Loaded for `up`, `migrate`, `check`, `verify`, `keys`, `doctor` and `config` only. The other commands talk to a running service, and should start at once. */
async function startService(env) {
  const { runService } = await import('../dist/bootstrap/service.js');
  await runService(env);
}

async function migrateSchema(env, options) {
  const { migrateProgram } = await import('../dist/maintenance/migrate.js');
  await migrateProgram(env, options);
}

async function checkExport(path, options) {
  const { checkProgram } = await import('../dist/check/check-program.js');
  return checkProgram(path, options);
}

async function checkIndex(env) {
  const program = await import('../dist/maintenance/check-index.js');
  return program.checkIndex(env);
}

async function rewrapSubjectKeys(env) {
  const program = await import('../dist/maintenance/rewrap-keys.js');
  return program.rewrapSubjectKeys(env);
}

async function verifyLog(env, options) {
  const program = await import('../dist/maintenance/verify-log.js');
  return program.verifyLog(env, options);
}

async function verifyProof(text, key, witnesses) {
  const program = await import('../dist/maintenance/verify-proof.js');
  return program.verifyProof(text, key, witnesses);
}

async function verifyExport(path, key, witnesses) {
  const program = await import('../dist/maintenance/verify-export.js');
  return program.verifyExport(path, key, witnesses);
}

async function verifyCertificate(text, key, witnesses) {
  const program = await import('../dist/maintenance/verify-certificate.js');
  return program.verifyCertificate(text, key, witnesses);
}

async function* diagnose(env) {
  const program = await import('../dist/maintenance/diagnose.js');
  yield* program.diagnose(env);
}

async function checkConfig(env) {
  const program = await import('../dist/maintenance/diagnose.js');
  return program.checkConfig(env);
}

const { run } = await import('@waybill/cli/run');
await run({
  startService,
  migrateSchema,
  checkExport,
  checkIndex,
  rewrapSubjectKeys,
  verifyLog,
  verifyProof,
  verifyExport,
  verifyCertificate,
  diagnose,
  checkConfig,
});
