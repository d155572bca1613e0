const SAME = /^\$same:(.+)$/;
const NOT = /^\$not:(.+)$/;

/**
 * How `got` differs from what is expected, one sentence for each difference. Objects may have more members than expected. `bound` has
 * what `$same:name` stands for so far.
 */
export function unlike(expected, got, at, bound) {
  if (expected === '$any') return got === undefined ? [`Expected ${at} to be there, but it is not`] : [];
  if (expected === '$absent')
    return got === undefined ? [] : [`Expected ${at} to be absent, but got ${JSON.stringify(got)}`];
  const [, other] = (typeof expected === 'string' && NOT.exec(expected)) || [];
  if (other !== undefined)
    return got === undefined || got === bound.get(other)
      ? [`Expected ${at} to be another than before, but got ${JSON.stringify(got)}`]
      : [];
  const [, name] = (typeof expected === 'string' && SAME.exec(expected)) || [];
  if (name !== undefined && !bound.has(name)) {
    bound.set(name, got);
    return got === undefined ? [`Expected ${at} to be there, but it is not`] : [];
  }
  const wanted = name === undefined ? expected : bound.get(name);
  if (Array.isArray(wanted)) return unlikeLists(wanted, got, at, bound);
  if (typeof wanted === 'object' && wanted !== null) return unlikeObjects(wanted, got, at, bound);
  return Object.is(wanted, got)
    ? []
    : [`Expected ${at} to be ${JSON.stringify(wanted)}, but got ${JSON.stringify(got)}`];
}

function unlikeLists(wanted, got, at, bound) {
  if (!Array.isArray(got) || got.length !== wanted.length)
    return [`Expected ${at} to have ${wanted.length} items, but got ${JSON.stringify(got)}`];
  return wanted.flatMap((each, index) => unlike(each, got[index], `${at}[${index}]`, bound));
}

function unlikeObjects(wanted, got, at, bound) {
  if (typeof got !== 'object' || got === null)
    return [`Expected ${at} to be an object, but got ${JSON.stringify(got)}`];
  return Object.entries(wanted).flatMap(([name, each]) => unlike(each, got[name], `${at}.${name}`, bound));
}
