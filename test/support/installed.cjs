const { createHash } = require('node:crypto');

/**
 * For Jest: Node itself loads an installed file, once for all spec files of a worker, including ES modules, which
 * Jest's own `require` cannot load. Outside of tests, such as in a global set-up, `require` is unchanged.
 */
const inTests = () => 'requireInstalled' in globalThis;

exports.process = (source, path) => ({
  code: inTests() ? `module.exports = requireInstalled(${JSON.stringify(path)});` : source,
});

exports.getCacheKey = (source, path) =>
  createHash('sha1')
    .update(`${inTests() ? '' : source}\0${path}`)
    .digest('hex');
