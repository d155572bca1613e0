// Plain syntax on purpose: this file must still load on the Node versions that it refuses.

/** Whether the version (such as 'v20.19.0') is one that Waybill runs on: 20.19 and later 20.x, or 22.12 and later. */
function isSupported(version) {
  const [major, minor] = version.replace('v', '').split('.').map(Number);
  if (major === 20) return minor >= 19;
  return major === 22 ? minor >= 12 : major > 22;
}

/** Ends the process with one sentence when its Node is too old. */
export function checkNode() {
  if (isSupported(process.version)) return;
  console.error(
    `Expected Node 20.19 or later, or 22.12 or later, but this is ${process.version}; install one from nodejs.org.`,
  );
  process.exit(1);
}
