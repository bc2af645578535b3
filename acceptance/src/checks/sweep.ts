import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { headerOf, holds, isError, same, summary } from '../expect.ts';
import type { Answer } from '../http.ts';

const errorCodes: Record<string, number> = {
  missing_api_key: 401,
  invalid_api_key: 401,
  not_found: 404,
  method_not_allowed: 405,
  order_already_shipped: 409,
  gone: 410,
  bad_request: 400,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  headers_too_large: 431,
  rate_limited: 429,
};

/** What must be true of all the answers that the other checks received: they run before these. */
export function sweepChecks(suite: Suite, { client, staging }: Context): void {
  const { documented, check } = suite.section('Every answer of this run');
  const received = () => [...client.answers, ...(staging?.client.answers ?? [])];
  const withBody = ({ request, status }: Answer) => !request.startsWith('HEAD') && status !== 304;

  documented(
    '“All error bodies use the Error object”: every non-2xx body, and `status` is the HTTP status',
    () => {
      for (const answer of received().filter(withBody)) {
        if (answer.status < 200 || answer.status > 299) isError(answer, answer.status);
      }
    },
  );
  documented('every `code` is one of the list, with its own status', () => {
    for (const answer of received().filter(withBody)) {
      if (answer.status < 400) continue;
      const { code } = JSON.parse(answer.text) as { code: string };
      same(errorCodes[code], answer.status, `the status of ${code}`, answer.request);
    }
  });
  documented('no request was answered with a 5xx', () => {
    for (const answer of received()) holds(answer.status < 500, 'no 5xx', summary(answer), answer.request);
  });
  documented('“Rate limits, quotas …: not shown”: no request was answered with 429', () => {
    for (const answer of received()) holds(answer.status !== 429, 'no 429', summary(answer), answer.request);
  });
  check('`X-Request-Id` on every answer', () => {
    for (const answer of received()) {
      holds(headerOf(answer, 'X-Request-Id').length <= 200, 'a short id', answer.headers['x-request-id']);
    }
  });
  check('no answer repeats a key, sets a cookie or names the software behind it', () => {
    const keys = [client.key, staging?.client.key].filter((key) => key !== undefined);
    for (const answer of received()) {
      const all = JSON.stringify(answer.headers) + answer.text;
      holds(!keys.some((key) => all.includes(key)), 'no key in an answer', 'a key', answer.request);
      for (const name of ['set-cookie', 'x-powered-by']) {
        holds(!(name in answer.headers), `no header ${name}`, answer.headers[name], answer.request);
      }
    }
  });
}
