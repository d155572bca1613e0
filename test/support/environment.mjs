import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Node's environment, in which a worker compiles a module once, and not once for each spec file that loads it: a fifth of the
 * time of a spec that loads the service. V8 keeps no compiled code of `compileFunction`, which Jest calls; a script may be run in
 * many contexts. What is left out, `importModuleDynamically`, nothing needs: swc makes `require` of `import()`.
 */
export default class CompileOnce extends TestEnvironment {}

const compiled = new Map();

vm.compileFunction = (code, parameters, { filename, parsingContext }) => {
  const known = compiled.get(filename);
  const script = known?.code === code ? known.script : compile(code, parameters, filename);
  compiled.set(filename, { code, script });
  return script.runInContext(parsingContext);
};

function compile(code, parameters, filename) {
  const before = `(function (${parameters.join()}) {`;
  return new vm.Script(`${before}${code}\n})`, { filename, columnOffset: -before.length });
}
