import type { Response } from '../support/http.ts';

type States = Iterable<readonly [resource: string, state: string | undefined]>;

/**
 * An actor's expected state: one state per resource. A change sets states; until its response, either value may hold. A
 * new resource has no ID yet: until then, one more resource may exist.
 */
export class ExpectedState {
  readonly actor: string;
  readonly #states = new Map<string, string>();
  readonly #badRequests: string[] = [];
  #pending: Map<string, string | undefined> | 'something new' | undefined;
  acknowledged = 0;
  unknown = 0;

  constructor(actor: string) {
    this.actor = actor;
  }

  get(resource: string): string | undefined {
    return this.#states.get(resource);
  }

  /** Resources in this state. */
  inState(state: string): string[] {
    return [...this.#states.keys()].filter((resource) => this.#states.get(resource) === state);
  }

  set(states: States): void {
    for (const [resource, state] of states) {
      if (state === undefined) this.#states.delete(resource);
      else this.#states.set(resource, state);
    }
  }

  /** Makes a change that sets these states, unless it is rejected. */
  async change(states: States | 'something new', pendingResponse: Promise<Response>): Promise<Response> {
    const pending = typeof states === 'string' ? states : new Map(states);
    this.#pending = pending;
    const response = await pendingResponse;
    // Neither confirmed nor rejected: it may have happened or not.
    if (response.status >= 500) throw new Error(`${response.status} ${response.text}`);
    // Only well-formed changes are sent: a malformed one would never be tested.
    if (response.status === 400) this.#badRequests.push(`${this.actor}: ${response.text}`);
    if (response.status < 300) {
      this.acknowledged++;
      if (pending !== 'something new') this.set(pending);
    }
    this.#pending = undefined;
    return response;
  }

  /** Mismatches among the given resources. Settles pending changes. */
  compare(
    actual: ReadonlyMap<string, string>,
    isIncluded: (resource: string) => boolean = () => true,
  ): string[] {
    const pending = this.#pending;
    this.#pending = undefined;
    const differing = [...new Set([...this.#states.keys(), ...actual.keys()])].filter(
      (resource) => isIncluded(resource) && this.get(resource) !== actual.get(resource),
    );
    if (pending) this.unknown++;
    const isCreated =
      pending === 'something new'
        ? differing.length === 1 && this.get(differing[0] as string) === undefined
        : pending &&
          [...pending]
            .filter(([resource]) => isIncluded(resource))
            .every(([resource, state]) => actual.get(resource) === state);
    const wrong = differing.filter(
      (resource) => !isCreated || (pending !== 'something new' && !pending?.has(resource)),
    );
    const violations = wrong.map(
      (resource) =>
        `${this.actor}: ${resource} is ${actual.get(resource)} and should be ${this.get(resource)}`,
    );
    this.set(differing.map((resource) => [resource, actual.get(resource)]));
    return [...violations, ...this.#badRequests.splice(0)];
  }
}
