// Nothing else is imported before this check: on an older Node the packages fail with a stack instead of a sentence.
// As in `scripts/check-node.mjs`, which is not where only the build is installed.
const [major = 0, minor = 0] = process.version.replace('v', '').split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  console.error(
    `Expected Node 20.19 or later, or 22.12 or later, but this is ${process.version}; install one from nodejs.org.`,
  );
  process.exit(1);
}

const { runService } = await import('./service.js');
await runService(process.env);

export {};
