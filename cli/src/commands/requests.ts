import type { InspectedRequest } from '../../../client/src/index.ts';
import { writeJson } from '../../../client/src/json.ts';
import { sleep } from '../../../client/src/time.ts';
import { clientOf } from '../connection.ts';
import { showListing } from '../listing.ts';
import { type Column, endsWithReader, plain, print } from '../output.ts';
import type { Call } from '../place.ts';

/** The service writes down what it saw once a second. */
const LOOK_MS = 1_000;
/** More are not kept. */
const MOST_KEPT = 200;

const columns: readonly Column<InspectedRequest>[] = [
  ['AT', ({ at }) => at],
  ['STATUS', ({ status }) => status],
  ['MS', ({ durationMs }) => durationMs],
  ['ERROR', ({ error }) => error],
  ['REQUEST', ({ method, path }) => `${method} ${path}`],
];

/** The last requests to the store, the newest first; or, with --follow, those that come, in their order. */
export const showRequests = endsWithReader(async (call) => {
  const client = clientOf(call);
  if (call.values.follow !== true)
    return showListing('requests', call, columns, (limit) =>
      client.requests({ limit: Math.min(limit, MOST_KEPT) }),
    );
  let seen = new Set((await client.requests({ limit: MOST_KEPT })).data.map(({ id }) => id));
  const signal = call.interruption();
  for (;;) {
    await sleep(LOOK_MS, signal);
    const { data } = await client.requests({ limit: MOST_KEPT });
    for (const request of data.toReversed())
      if (!seen.has(request.id)) await print(lineOf(request, call), call);
    seen = new Set(data.map(({ id }) => id));
  }
});

function lineOf(request: InspectedRequest, { values }: Call): string {
  if (values.json === true) return `${writeJson(request)}\n`;
  return `${columns.map(([, read]) => plain(read(request))).join('  ')}\n`;
}
