// Plain syntax on purpose: this file must still load on the Node versions that it refuses.

/** Whether the version (such as 'v20.19.0') is one of `engines` in package.json. */
function isSupported(version) {
  const [major, minor] = version.replace('v', '').split('.').map(Number);
  if (major === 20) return minor >= 19;
  if (major === 22) return minor >= 13;
  return major === 24 ? minor >= 11 : major > 24;
}

/** Ends the process with one sentence if Waybill does not run on this Node. */
export function checkNode() {
  if (isSupported(process.version)) return;
  console.error(
    `Expected Node 20 (20.19 or later), 22 (22.13 or later), or 24.11 or later, but this is ${process.version}; install one from nodejs.org.`,
  );
  process.exit(1);
}
