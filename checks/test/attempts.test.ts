import { describe, expect, it } from 'vitest';
import { expectBounded } from '../src/client/expectations.ts';
import type { Outcome } from '../src/client/question.ts';

/** Requests at these times, in milliseconds. */
const requestsOf = (path: string, ...times: number[]): Outcome['requests'] =>
  times.map((requestedAt) => ({
    request: `GET ${path} HTTP/1.1\r\n\r\n`,
    response: '',
    requestedAt,
    responseAt: requestedAt,
  }));

describe('the bound on attempts', () => {
  const page = requestsOf('/v2/store/orders?limit=1000', 0);
  const next = '/v2/store/orders?limit=1000&cursor=a';

  it('lets backoff with full jitter put the first attempt and four retries into one second', () => {
    expect(expectBounded({ requests: [...page, ...requestsOf(next, 20, 30, 60, 90, 120)] })).toBeUndefined();
  });

  it('is exceeded by a sixth attempt within a second, but not by one after it', () => {
    const problem = 'it sent more than 5 requests within a second';
    expect(expectBounded({ requests: requestsOf(next, 0, 200, 400, 600, 800, 999) })).toBe(problem);
    expect(expectBounded({ requests: requestsOf(next, 0, 200, 400, 600, 800, 1000) })).toBeUndefined();
  });

  it('is exceeded by more than 20 requests in all', () => {
    const requests = Array.from({ length: 21 }, (_, i) => requestsOf(`/v1/pets/${i}`, i * 10_000)).flat();
    expect(expectBounded({ requests })).toBe('it sent 21 requests');
    expect(expectBounded({ requests: requests.slice(1) })).toBeUndefined();
  });
});
