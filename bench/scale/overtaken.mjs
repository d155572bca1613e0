/**
 * Says which task overtook which; null if none did. `tasks` are in claim order, and `events` are their claims and
 * successes in order. Claims of a queue take turns, so each sees at least what was ready before the previous claim was
 * recorded. Claims whose events have no gap between them may be of one commit, and count as one.
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

/** The tasks in claim order, each with the position from which on it was ready. */
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

  /** The id of a task that comes before this one and was ready before `known`, if there is one. */
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

  /** Makes the next task of its key ready. */
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
