import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { ensure, expectError, headerOf, summary } from '../expect.ts';
import type { Response } from '../http.ts';

const errorCodes: Record<number, string[]> = {
  400: ['bad_request', 'invalid_parameter', 'invalid_cursor', 'invalid_body', 'invalid_preference'],
  401: ['missing_api_key', 'invalid_api_key'],
  403: ['forbidden'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: [
    'order_already_shipped',
    'order_already_cancelled',
    'invalid_transition',
    'insufficient_stock',
    'idempotency_key_in_use',
    'webhook_limit_reached',
    'delivery_limit_reached',
    'too_much_data',
    'store_limit_reached',
    'pet_limit_reached',
  ],
  410: ['gone', 'events_expired'],
  413: ['payload_too_large'],
  414: ['uri_too_long'],
  415: ['unsupported_media_type'],
  422: ['unknown_pet', 'idempotency_key_reused', 'invalid_webhook_url', 'invalid_data'],
  429: ['rate_limited'],
  431: ['headers_too_large'],
  501: ['not_implemented'],
  503: ['unavailable'],
};

/** Applies to every response recorded by the other checks, which run first. */
export function sweepChecks(suite: Suite, { client, staging }: Context): void {
  const { documented, check } = suite.section('all', 'Every response of this run');
  const received = () => [...client.responses, ...(staging?.client.responses ?? [])];
  const withBody = ({ request, status }: Response) => !request.startsWith('HEAD') && status !== 304;

  documented(
    'error-object',
    '“All error bodies use the Error object”: every non-2xx body, and `status` is the HTTP status',
    () => {
      for (const response of received().filter(withBody)) {
        if (response.status < 200 || response.status > 299) expectError(response, response.status);
      }
    },
  );
  documented('codes', 'every `code` is documented for its status', () => {
    for (const response of received().filter(withBody)) {
      if (response.status < 400) continue;
      const { code } = JSON.parse(response.text) as { code: string };
      const codes = errorCodes[response.status] ?? [];
      ensure(
        codes.includes(code),
        `a code of ${response.status}: ${codes.join(', ')}`,
        code,
        response.request,
      );
    }
  });
  documented('no-5xx', 'no response was a 5xx, except 501 for an unknown method', () => {
    for (const response of received())
      ensure(response.status < 500 || response.status === 501, 'no 5xx', summary(response), response.request);
  });
  documented('no-429', '“Rate limits, quotas …: not shown”: no response was 429', () => {
    for (const response of received())
      ensure(response.status !== 429, 'no 429', summary(response), response.request);
  });
  check('request-id', '`X-Request-Id` on every response', () => {
    for (const response of received()) {
      ensure(
        headerOf(response, 'X-Request-Id').length <= 200,
        'a short id',
        response.headers['x-request-id'],
      );
    }
  });
  check('no-secrets', 'no response repeats a key, sets a cookie or names the software behind it', () => {
    const keys = [client.key, staging?.client.key].filter((key) => key !== undefined);
    for (const response of received()) {
      const all = JSON.stringify(response.headers) + response.text;
      ensure(!keys.some((key) => all.includes(key)), 'no key in a response', 'a key', response.request);
      for (const name of ['set-cookie', 'x-powered-by']) {
        ensure(!(name in response.headers), `no header ${name}`, response.headers[name], response.request);
      }
    }
  });
}
