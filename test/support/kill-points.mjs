// Loaded before a program (`node --import`). Logs the acts of `examples/repository` that must not be done twice, in
// KILL_FOLDER/log, and kills the process at the first act of each kind that KILL_AT (JSON) lists.
import { appendFileSync, closeSync, openSync, renameSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const { KILL_FOLDER, KILL_AT } = process.env;
const points = JSON.parse(KILL_AT ?? '[]');

function did(act, about) {
  appendFileSync(join(KILL_FOLDER, 'log'), `${act} ${about}\n`);
  if (points.includes(act) && isFirst(act)) killThisProcess();
}

/** Whether no process was killed at this act before. */
function isFirst(act) {
  try {
    closeSync(openSync(join(KILL_FOLDER, act), 'wx'));
    return true;
  } catch {
    return false;
  }
}

function killThisProcess() {
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** What the repository's servers do, said before the other side has an answer. */
const ANSWERS = [
  ['asked', /^GET \/(object|no-head|inner|right|payload-\d)\//, 'before'],
  ['fetched', /^GET \/(object|no-head|inner|right|payload-\d)\//],
  ['minted', /^PUT \/id\/ark:/],
  ['stored', /^PUT \/ark%3A/],
];

const { writeHead, end } = http.ServerResponse.prototype;
const tell = (response, status, when) => {
  const request = `${response.req.method} ${response.req.url}`;
  for (const [act, pattern, at] of ANSWERS)
    if (status < 300 && at === when && pattern.test(request)) did(act, response.req.url);
};
http.ServerResponse.prototype.writeHead = function (status, ...rest) {
  tell(this, status, 'before');
  return writeHead.call(this, status, ...rest);
};
http.ServerResponse.prototype.end = function (...args) {
  tell(this, this.statusCode, undefined);
  return end.apply(this, args);
};

/** What is on the disk, said once it is there. */
const FILES = [
  ['received', /submissions\/[^/]+\/[^/]+\.checkm$/],
  ['whole', /\/files\/[^/]+$/],
  ['recorded', /inventory\/.+\.json$/],
  ['mailed', /\.eml$/],
];
const { writeFile } = promises;
const actAt = (path) => FILES.find(([, pattern]) => pattern.test(path))?.[0];
// At once, because another act may kill the process between one that is done and its line in the log.
promises.rename = async (from, to) => {
  renameSync(from, to);
  const act = actAt(String(to));
  if (act) did(act, String(to));
};
promises.writeFile = async (path, ...rest) => {
  const act = String(path).includes('/files/') ? undefined : actAt(String(path));
  if (!act) return writeFile(path, ...rest);
  writeFileSync(path, ...rest);
  did(act, String(path));
};
syncBuiltinESMExports();
