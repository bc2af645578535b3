/** What a check throws when the service did something else than the sentence says. */
export class Mismatch extends Error {
  readonly expected: string;
  readonly received: string;
  readonly where: string;

  constructor(expected: string, received: string, where = '') {
    super(`expected ${expected}, received ${received}`);
    this.expected = expected;
    this.received = received;
    this.where = where;
  }
}
