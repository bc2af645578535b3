import type { Response } from '../support/http.ts';

type Facts = Iterable<readonly [thing: string, fact: string | undefined]>;

/**
 * An actor's expected state: one fact per resource. A change sets facts; until its response, either value may hold. A
 * new resource has no ID yet: until then, one more resource may exist.
 */
export class ExpectedState {
  readonly who: string;
  readonly #facts = new Map<string, string>();
  readonly #misunderstood: string[] = [];
  #pending: Map<string, string | undefined> | 'something new' | undefined;
  acknowledged = 0;
  unknown = 0;

  constructor(who: string) {
    this.who = who;
  }

  get(thing: string): string | undefined {
    return this.#facts.get(thing);
  }

  /** Resources in this state. */
  which(fact: string): string[] {
    return [...this.#facts.keys()].filter((thing) => this.#facts.get(thing) === fact);
  }

  set(facts: Facts): void {
    for (const [thing, fact] of facts) {
      if (fact === undefined) this.#facts.delete(thing);
      else this.#facts.set(thing, fact);
    }
  }

  /** Makes a change that sets these facts, unless it is rejected. */
  async change(facts: Facts | 'something new', asking: Promise<Response>): Promise<Response> {
    const pending = typeof facts === 'string' ? facts : new Map(facts);
    this.#pending = pending;
    const response = await asking;
    // Neither confirmed nor rejected: it may have happened or not.
    if (response.status >= 500) throw new Error(`${response.status} ${response.text}`);
    // Only well-formed changes are sent: a malformed one would never be tested.
    if (response.status === 400) this.#misunderstood.push(`${this.who}: ${response.text}`);
    if (response.status < 300) {
      this.acknowledged++;
      if (pending !== 'something new') this.set(pending);
    }
    this.#pending = undefined;
    return response;
  }

  /** Mismatches among the given resources. Settles pending changes. */
  compare(seen: ReadonlyMap<string, string>, asked: (thing: string) => boolean = () => true): string[] {
    const pending = this.#pending;
    this.#pending = undefined;
    const differing = [...new Set([...this.#facts.keys(), ...seen.keys()])].filter(
      (thing) => asked(thing) && this.get(thing) !== seen.get(thing),
    );
    if (pending) this.unknown++;
    const isCreated =
      pending === 'something new'
        ? differing.length === 1 && this.get(differing[0] as string) === undefined
        : pending &&
          [...pending].filter(([thing]) => asked(thing)).every(([thing, fact]) => seen.get(thing) === fact);
    const wrong = differing.filter(
      (thing) => !isCreated || (pending !== 'something new' && !pending?.has(thing)),
    );
    const violations = wrong.map(
      (thing) => `${this.who}: ${thing} is ${seen.get(thing)} and should be ${this.get(thing)}`,
    );
    this.set(differing.map((thing) => [thing, seen.get(thing)]));
    return [...violations, ...this.#misunderstood.splice(0)];
  }
}
