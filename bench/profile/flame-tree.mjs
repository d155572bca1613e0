/** A function and the functions that it called, with the microseconds in which the profiler saw it. */
class Frame {
  micros = 0;
  children = new Map();

  child(label) {
    if (!this.children.has(label)) this.children.set(label, new Frame());
    return this.children.get(label);
  }
}

const IDLE = new Set(['(idle)', '(program)', '(root)']);
const GARBAGE = '(garbage collector)';

/**
 * A V8 profile (`node --cpu-prof`) as a tree of the project's own functions. Calls into packages and Node appear below
 * them by the package's name, unless they call functions of the project. Leaves out idle time.
 */
export function flameTree({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stacks = new Map(nodes.map(({ id }) => [id, stackOf(id, byId, parents)]));
  const root = new Frame();
  samples.forEach((id, at) => add(root, stacks.get(id), timeDeltas[at]));
  return root;
}

function add(root, stack, micros) {
  if (stack === null) return;
  root.micros += micros;
  let frame = root;
  for (const label of stack) {
    frame = frame.child(label);
    frame.micros += micros;
  }
}

/** The labels from the outermost call to the innermost; null if nothing of this process was running. */
function stackOf(id, byId, parents) {
  const stack = [];
  for (let at = id; at !== undefined; at = parents.get(at)) {
    const { callFrame } = byId.get(at);
    if (at === id && IDLE.has(callFrame.functionName)) return null;
    const label = ownLabel(callFrame) ?? (stack.length === 0 ? foreignLabel(callFrame) : null);
    if (label !== null && label !== stack.at(-1)) stack.push(label);
  }
  return stack.reverse();
}

const PACKAGE = /\/node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\//;
const OWN = /\/(?<package>packages\/\w+\/)?dist\/(?<path>.+)\.js$/;

/**
 * Null for functions that are not the project's or have no name. The latter belong to the named function that created
 * them.
 */
function ownLabel({ functionName, url }) {
  const own = PACKAGE.test(url) ? null : OWN.exec(url);
  if (!own || functionName === '') return null;
  const { package: of = '', path } = own.groups;
  return `${functionName}  ${of}${path}`;
}

function foreignLabel({ functionName, url }) {
  if (functionName === GARBAGE) return 'garbage collection';
  const installed = PACKAGE.exec(url);
  if (installed) return `[${installed.groups.name}]`;
  if (url === '') return functionName === '' || functionName === '(root)' ? null : `[${functionName}]`;
  return url.startsWith('node:') ? '[node]' : null;
}
