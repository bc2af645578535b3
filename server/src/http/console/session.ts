/** Someone who is signed in. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly accountCreatedAt: bigint;
  /** Set when the session was just prolonged, and the browser should hear of it. */
  readonly renewed: boolean;
}
