const { createHash } = require('node:crypto');

/**
 * For Jest: an installed file is loaded by Node itself, once for all spec files of a worker; ES modules too, which Jest's own `require`
 * cannot load. Outside of tests, in a global set-up, it is what it is.
 */
const inTests = () => 'requireInstalled' in globalThis;

exports.process = (source, path) => ({
  code: inTests() ? `module.exports = requireInstalled(${JSON.stringify(path)});` : source,
});

exports.getCacheKey = (source, path) =>
  createHash('sha1')
    .update(`${inTests() ? '' : source}\0${path}`)
    .digest('hex');
