const { createHash } = require('node:crypto');
const { join, relative } = require('node:path');

const root = join(__dirname, '../..');

/** Where `scripts/transpile.mjs` and `npm run build` leave the JavaScript of what we ship. */
const COMPILED = [
  ['src', 'dist'],
  ['packages/contracts/src', 'packages/contracts/dist'],
  ['packages/client/src', 'packages/client/dist'],
  ['packages/otel/src', 'packages/otel/dist'],
  ['packages/mcp/src', 'packages/mcp/dist'],
  ['packages/cli/src', 'packages/cli/dist'],
];

/** The compiled file of one of ours; undefined for an installed one. */
function compiled(path) {
  const source = relative(root, path);
  const tree = COMPILED.find(([from]) => source.startsWith(`${from}/`));
  return tree && join(root, tree[1], relative(tree[0], source).replace(/\.ts$/, '.js'));
}

/** swc takes what says that it is one for a module. */
function loadedBy(path) {
  const ours = compiled(path);
  const loaded = `requireInstalled(${JSON.stringify(ours ?? path)})`;
  return ours
    ? `module.exports = Object.defineProperty({ ...${loaded} }, '__esModule', { value: true });`
    : `module.exports = ${loaded};`;
}

/**
 * For Jest: Node itself loads what is installed and what we ship, once for all spec files of a worker, including ES modules, which
 * Jest's own `require` cannot load. Outside of tests, such as in a global set-up, `require` is unchanged.
 */
const inTests = () => 'requireInstalled' in globalThis;

exports.process = (source, path) => ({ code: inTests() ? loadedBy(path) : source });

exports.getCacheKey = (source, path) =>
  createHash('sha1')
    .update(inTests() ? loadedBy(path) : `${source}\0${path}`)
    .digest('hex');
