/** Thrown by a check if the service violates the statement. */
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
