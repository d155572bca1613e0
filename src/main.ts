// Nothing else is imported before this check: on an older Node the packages would fail with a stack instead of a
// sentence. It repeats `bin/check-node.js`, which is missing where only the build is installed.
const [major = 0, minor = 0] = process.version.replace('v', '').split('.').map(Number);
const leastMinor = new Map([
  [20, 19],
  [22, 13],
  [24, 11],
]);
if (major < 25 && minor < (leastMinor.get(major) ?? Infinity)) {
  console.error(
    `Expected Node 20 (20.19 or later), 22 (22.13 or later), or 24.11 or later, but this is ${process.version}; install one from nodejs.org.`,
  );
  process.exit(1);
}

const { runService } = await import('./bootstrap/service.js');
await runService(process.env);

export {};
