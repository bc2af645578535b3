import type { Response } from '../support/http.ts';

type Facts = Iterable<readonly [thing: string, fact: string | undefined]>;

/**
 * What somebody who changes things knows of them: one fact for each thing. A change sets the facts of some things; until
 * it is answered, either may hold. Something new has no name yet: until then, one more thing may be there.
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

  /** Those that are in this state. */
  which(fact: string): string[] {
    return [...this.#facts.keys()].filter((thing) => this.#facts.get(thing) === fact);
  }

  set(facts: Facts): void {
    for (const [thing, fact] of facts) {
      if (fact === undefined) this.#facts.delete(thing);
      else this.#facts.set(thing, fact);
    }
  }

  /** Makes a change that sets these facts, unless it is refused. */
  async change(facts: Facts | 'something new', asking: Promise<Response>): Promise<Response> {
    const pending = typeof facts === 'string' ? facts : new Map(facts);
    this.#pending = pending;
    const response = await asking;
    // Neither done nor refused: it may have been made, or not.
    if (response.status >= 500) throw new Error(`${response.status} ${response.text}`);
    // Whoever asks knows how: a change that is never understood would never be tried.
    if (response.status === 400) this.#misunderstood.push(`${this.who}: ${response.text}`);
    if (response.status < 300) {
      this.acknowledged++;
      if (pending !== 'something new') this.set(pending);
    }
    this.#pending = undefined;
    return response;
  }

  /** What is not as it must be, of the things that are asked about. What was under way is settled by this. */
  compare(seen: ReadonlyMap<string, string>, asked: (thing: string) => boolean = () => true): string[] {
    const pending = this.#pending;
    this.#pending = undefined;
    const differing = [...new Set([...this.#facts.keys(), ...seen.keys()])].filter(
      (thing) => asked(thing) && this.get(thing) !== seen.get(thing),
    );
    if (pending) this.unknown++;
    const isMade =
      pending === 'something new'
        ? differing.length === 1 && this.get(differing[0] as string) === undefined
        : pending &&
          [...pending].filter(([thing]) => asked(thing)).every(([thing, fact]) => seen.get(thing) === fact);
    const wrong = differing.filter(
      (thing) => !isMade || (pending !== 'something new' && !pending?.has(thing)),
    );
    const violations = wrong.map(
      (thing) => `${this.who}: ${thing} is ${seen.get(thing)} and should be ${this.get(thing)}`,
    );
    this.set(differing.map((thing) => [thing, seen.get(thing)]));
    return [...violations, ...this.#misunderstood.splice(0)];
  }
}
