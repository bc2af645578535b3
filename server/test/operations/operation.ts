import type { Response } from '../support/http.ts';
import type { TestService } from '../support/service.ts';

/** An operation as it succeeds, or is refused, for somebody who is new each time. */
export interface Operation {
  readonly name: string;
  /** The method and the path, with `{parameters}`, as the documents write them. */
  readonly route: string;
  readonly status: number;
  open(service: TestService): Promise<{
    ask(): Promise<Response>;
    /** All that it may change, in the same words for whoever asks. */
    state(): Promise<unknown>;
    /** Something else, which must succeed. */
    next(): Promise<void>;
  }>;
}
