import type { DeploymentName } from '../domain/deployment.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/caller.ts';
import { notFound } from '../http/openapi/responses.ts';
import type { Guard, Request } from '../http/server/request.ts';
import { sendResponse } from '../http/server/send.ts';
import { limitRate, type RequestCounts } from '../rate-limiting/limit-requests.ts';
import { contentsSchemas } from './contents.ts';
import { customDataSchemas } from './custom-data.ts';
import { type FaultOptions, faultGuards } from './fault-guards.ts';
import { faultOperations, faultSchemas } from './faults.http.ts';
import { sendWithFaults } from './faulty-sender.ts';
import { withReplacedStoreErrors } from './fill-store.ts';
import { endStoreOperation, exportData, openStoreOperation, resetSandbox } from './stores.http.ts';

export const sandboxTag = {
  name: 'sandbox',
  description: [
    'Tools for testing clients: reset a store to any state, load your own data, create a temporary store for each test worker, and inject faults. Staging only: on production these operations return 404, and preferences are ignored.',
    `To affect a single request, send a \`Prefer\` header (RFC 7240): \`Prefer: fault=lost-answer\`, \`Prefer: fault=delay; ms=2000\`, \`Prefer: code=409\`, or \`Prefer: now="2030-12-06T00:00:00Z"\` to run it at that time (future times only). \`Preference-Applied\` lists the preferences that were applied. Preferences that cannot be applied are ignored; with \`handling=strict\` they return 400 \`invalid_preference\`.`,
  ].join('\n\n'),
};

const operations = [resetSandbox, exportData, openStoreOperation, endStoreOperation, ...faultOperations];

const operationNames: ReadonlySet<string> = new Set(operations.map(({ operationId }) => `v2.${operationId}`));

type Options = FaultOptions & { readonly deployment: DeploymentName; readonly counts: RequestCounts };

const pass: Guard = () => undefined;

/** Guards, sender and writer of the sandbox. On production, its operations are 404 and everything else is unchanged. */
export function createSandbox({ deployment, counts, ...options }: Options) {
  const { db, writer, now } = options;
  if (deployment === 'production') {
    const guards = { limitRate: pass, parsePreferences: rejectSandboxOperations, injectFault: pass };
    return { ...guards, effectiveTime: now, send: sendResponse, writer };
  }
  return {
    limitRate: limitStoreRate(counts),
    ...faultGuards(options),
    send: sendWithFaults,
    writer: withReplacedStoreErrors(db, writer),
  };
}

/** A store's own limit. The console is exempt (its `rateRequests` is null), and so are sandbox operations: one of them lifts the limit. */
const limitStoreRate = (counts: RequestCounts) =>
  limitRate(counts, 'store', (request) => {
    const { storeId, rateRequests, rateSeconds, createdAt } = callerOf(request);
    if (rateRequests === null || isSandboxRequest(request)) return undefined;
    const windowMs = 1000 * Number(rateSeconds);
    return {
      subject: `store ${storeId}`,
      limit: { requests: Number(rateRequests), windowMs, since: Number(createdAt) },
    };
  });

/** Matches operations as well, because a path may be percent-encoded: `/v2/%73andbox/reset`. */
const isSandboxRequest = ({ path, operation: { fullName = '' } }: Request) =>
  operationNames.has(fullName) || path.startsWith('/v2/sandbox/');

const rejectSandboxOperations: Guard = (request) => {
  if (isSandboxRequest(request))
    throw new ApiError(
      'not_found',
      'The sandbox is only available on staging. Use the staging address and a staging API key.',
    );
};

export const sandboxFeature = {
  tag: 'sandbox',
  stability: 'experimental',
  responses: notFound,
  operations,
  schemas: { ...contentsSchemas, ...customDataSchemas, ...faultSchemas },
};
