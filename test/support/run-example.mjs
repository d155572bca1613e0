// Runs an example that was compiled before: `node test/support/run-example.mjs repository <folder>`.
const [name, ...args] = process.argv.slice(2);
const { main } = await import(`../../examples/dist/${name}/main.js`);
process.exitCode = await main(args, process.env);
