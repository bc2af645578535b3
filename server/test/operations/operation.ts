import type { Response } from '../support/http.ts';
import type { TestService } from '../support/service.ts';

/** An operation that succeeds or is rejected, for a new user each time. */
export interface Operation {
  readonly name: string;
  /** The method and the path, with `{parameters}`, as the documents write them. */
  readonly route: string;
  readonly status: number;
  open(service: TestService): Promise<{
    sendRequest(): Promise<Response>;
    /** Everything it may change, in a comparable form. */
    state(): Promise<unknown>;
    /** Something else, which must succeed. */
    next(): Promise<void>;
  }>;
}
