import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Caller, RefusedKey } from './caller.ts';

export interface OperationInfo {
  readonly operationId?: string;
  /** With its version, such as `v1.cancelOrder`. */
  readonly fullName?: string;
  readonly deprecated?: boolean;
}

/** A request as guards, handlers and observers know it: made once, when it arrives. A feature may add what it notes on it. */
export interface Request {
  /** As Node has it: its body, and the connection that it came on. */
  readonly raw: IncomingMessage;
  readonly id: string;
  /** When it arrived, by `performance.now()`. */
  readonly arrivedAt: number;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  params: Readonly<Record<string, string>>;
  operation: OperationInfo;
  /** The trace that it belongs to, as W3C's Trace Context has it; undefined unless it is well-formed. */
  readonly traceparent: string | undefined;
  /** The body as it was sent and as JSON, once it was read. */
  bodyBytes?: Buffer;
  body?: unknown;
  /** Null before the key was checked, and where none is needed. */
  caller: Caller | null;
  refusedKey: RefusedKey | null;
  /** Set while it counts among the changes of this store. */
  countedFor?: bigint | undefined;
  /** Headers of its answer, whatever that will be: names and values in turn. */
  answerHeaders: string[];
  isLast: boolean;
}
