/**
 * Null, or which task overtook which. `tasks` are in claim order, `events` are their claims and successes in order. Claims of a queue take turns,
 * so each sees at least what was ready before the claim before it was recorded. Claims whose events follow one another without a gap may be of
 * one commit: they count as one.
 */
export function overtakenIn(tasks, events) {
  const lane = new Lane(tasks);
  let [known, start, last] = [Infinity, Infinity, -Infinity];
  for (const { position, id, type } of events) {
    if (type === 'TaskSucceeded') lane.succeed(id, position);
    else {
      if (position !== last + 1) [known, start] = [Math.min(start, position), position];
      const overtaken = lane.claim(id, known);
      if (overtaken) return `${id} was claimed at ${position}, before ${overtaken}`;
      last = position;
    }
  }
  return null;
}

/** The tasks in claim order, each with the position since which it is ready. */
class Lane {
  #places;
  #placeOf;
  #nextOfKey = new Map();
  #first = 0;

  constructor(tasks) {
    this.#places = tasks.map(({ id, seq }) => ({ id, readySince: seq, isClaimed: false }));
    this.#placeOf = new Map(tasks.map(({ id }, place) => [id, place]));
    this.#lineUp(tasks);
  }

  /** Answers the id of a task that comes before this one and was ready before `known`, if there is one. */
  claim(id, known) {
    const place = this.#placeOf.get(id);
    this.#places[place].isClaimed = true;
    while (this.#places[this.#first]?.isClaimed) this.#first++;
    for (let at = this.#first; at < place; at++) {
      const { isClaimed, readySince } = this.#places[at];
      if (!isClaimed && readySince < known) return this.#places[at].id;
    }
    return undefined;
  }

  /** The next task of its key is ready. */
  succeed(id, position) {
    const next = this.#nextOfKey.get(this.#placeOf.get(id));
    if (next !== undefined) this.#places[next].readySince = position;
  }

  /** Of each key, only the first task is ready. */
  #lineUp(tasks) {
    const lastOfKey = new Map();
    for (const [place, { key }] of tasks.entries()) {
      if (key === null) continue;
      if (lastOfKey.has(key)) {
        this.#nextOfKey.set(lastOfKey.get(key), place);
        this.#places[place].readySince = Infinity;
      }
      lastOfKey.set(key, place);
    }
  }
}
