import type { InspectedRequest } from '../../../client/src/index.ts';
import { writeJson } from '../../../client/src/json.ts';
import { sleep } from '../../../client/src/time.ts';
import type { Call } from '../command-group.ts';
import { clientOf } from '../connection.ts';
import { showListing } from '../listing.ts';
import { type Column, exitWhenReaderCloses, plain, print, utc } from '../output.ts';

/** The service records requests once a second. */
const POLL_MS = 1_000;
/** The service retains no more. */
const MAX_REQUESTS = 200;

const columns: readonly Column<InspectedRequest>[] = [
  ['AT', ({ at }) => utc(at, 'second')],
  ['STATUS', ({ status }) => status],
  ['MS', ({ durationMs }) => durationMs],
  ['ERROR', ({ error }) => error],
  ['REQUEST', ({ method, path }) => `${method} ${path}`],
];

/** Recent requests, newest first; with --follow, new requests in order of arrival. */
export const showRequests = exitWhenReaderCloses(async (call) => {
  const client = clientOf(call);
  if (call.values.follow !== true)
    return showListing('requests', call, columns, (limit) =>
      client.requests({ limit: Math.min(limit, MAX_REQUESTS) }),
    );
  let seen = new Set((await client.requests({ limit: MAX_REQUESTS })).data.map(({ id }) => id));
  const signal = call.interruption();
  for (;;) {
    await sleep(POLL_MS, signal);
    const { data } = await client.requests({ limit: MAX_REQUESTS });
    for (const request of data.toReversed())
      if (!seen.has(request.id)) await print(lineOf(request, call), call);
    seen = new Set(data.map(({ id }) => id));
  }
});

function lineOf(request: InspectedRequest, { values }: Call): string {
  if (values.json === true) return `${writeJson(request)}\n`;
  return `${columns.map(([, read]) => plain(read(request))).join('  ')}\n`;
}
