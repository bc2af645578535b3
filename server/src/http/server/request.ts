import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller, RefusedKey } from '../../keys/find-caller.ts';

/** What guards and observers need to know of the operation that a request asks for. */
export interface OperationInfo {
  readonly operationId?: string;
  readonly deprecated?: boolean;
}

/** A request as guards and handlers know it. */
export type Request = FastifyRequest;

declare module 'fastify' {
  interface FastifyRequest {
    /** When it arrived, by `performance.now()`. */
    arrivedAt: number;
    /** Headers of its answer, whatever that will be: names and values in turn. */
    answerHeaders: string[];
    operation: OperationInfo;
    /** Who is asking; null before the key was checked, and where none is needed. */
    caller: Caller | null;
    /** A key of a store that was refused. */
    refusedKey: RefusedKey | null;
    /** The store among whose changes it is counted, as long as it is. */
    countedFor: bigint | undefined;
    /** The body as it was sent, once it was read. */
    bodyBytes: Buffer | undefined;
  }
}

/** For a request whose path names no operation. */
const noOperation: OperationInfo = {};

/** Gives every request what the road keeps on it, and refuses one that `check` finds something wrong with. */
export function prepareRequests(
  app: FastifyInstance,
  check: (request: FastifyRequest) => Error | undefined,
): void {
  app.decorateRequest('arrivedAt', 0);
  app.decorateRequest('answerHeaders');
  app.decorateRequest('operation');
  app.decorateRequest('caller', null);
  app.decorateRequest('refusedKey', null);
  app.decorateRequest('countedFor');
  app.decorateRequest('bodyBytes');
  app.addHook('onRequest', (request, _, done) => {
    request.arrivedAt = performance.now();
    request.operation = noOperation;
    request.answerHeaders = ['x-request-id', request.id, 'x-content-type-options', 'nosniff'];
    done(check(request));
  });
}
