import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzz, type Subject } from '../src/fuzz.ts';
import { fuzzerNames, type Options } from '../src/options.ts';
import { type Program, startProgram } from '../src/program/start-program.ts';
import { type Passed, type Spoiling, startProxy } from './support/spoiling-proxy.ts';

const options: Options = {
  minutes: Number.POSITIVE_INFINITY,
  requests: 300,
  seed: 1,
  only: undefined,
  replay: undefined,
  base: undefined,
  keys: [],
};

let program: Program;
beforeAll(async () => {
  program = await startProgram();
});
afterAll(() => program?.[Symbol.asyncDispose]());

const subjectAt = (origin: (own: string) => string): Subject => ({
  targets: program.deployments.map(({ origin: own, key }) => ({ origin: origin(own), key })),
  isOwn: true,
  blocked: program.blocked,
  ended: program.ended,
});

describe('a short run of each fuzzer finds nothing', () => {
  it.each(fuzzerNames)('%s', async (name) => {
    const { failures, attempts, healthy } = await fuzz(name, subjectAt(String), options);
    expect(failures).toEqual([]);
    expect(attempts).toBe(options.requests);
    expect(healthy).toBeGreaterThan(0);
  });
});

const isPets = ({ url, status, method }: Passed) =>
  /^\/v[12]\/pets(\?|$)/.test(url) && status === 200 && method === 'GET';
const isPlain = ({ headers }: Passed) => headers['content-encoding'] === undefined;

/** Responds to every list of pets with the first one it saw, for any caller. */
function mixesStoresUp(): Spoiling {
  const seen = new Map<string, Buffer>();
  return {
    response(passed) {
      if (!isPets(passed) || !isPlain(passed) || passed.url.includes('limit=2')) return;
      const version = passed.url.slice(0, 3);
      const marked = /"[01]~/.test(passed.body.toString());
      if (marked && !seen.has(version)) seen.set(version, passed.body);
      passed.body = seen.get(version) ?? passed.body;
    },
  };
}

function swapsIds(): Spoiling {
  let last: string | string[] | undefined;
  return {
    response(passed) {
      const own = passed.headers['x-request-id'];
      if (last !== undefined) passed.headers['x-request-id'] = last;
      last = own;
    },
  };
}

const spoils = (which: (passed: Passed) => boolean, spoil: (passed: Passed) => void) => (): Spoiling => ({
  response: (passed) => (which(passed) ? spoil(passed) : undefined),
});
const rewrites = (which: (passed: Passed) => boolean, from: string, to: string) =>
  spoils(which, (passed) => {
    passed.body = Buffer.from(passed.body.toString().replaceAll(from, to));
  });
const isApiError = ({ status }: Passed) => status >= 400;
const isPlainPets = (passed: Passed) => isPets(passed) && isPlain(passed);

const broken: ReadonlyArray<readonly [name: string, spoil: () => Spoiling, problem: RegExp]> = [
  [
    'an undocumented status',
    spoils(isPets, (passed) => Object.assign(passed, { status: 203 })),
    /not documented/,
  ],
  ['a 500', spoils(isApiError, (passed) => Object.assign(passed, { status: 500 })), /server error/],
  [
    'a missing X-Request-Id',
    spoils(
      () => true,
      ({ headers }) => void delete headers['x-request-id'],
    ),
    /no X-Request-Id/,
  ],
  ['swapped IDs', swapsIds, /its X-Request-Id is/],
  ['a field that is missing', rewrites(isPlainPets, '"category"', '"kind"'), /breaks its schema/],
  [
    'another content type',
    spoils(isApiError, ({ headers }) => Object.assign(headers, { 'content-type': 'text/html' })),
    /content type is text\/html/,
  ],
  [
    'an Error with another status',
    rewrites(isApiError, '"status":404}', '"status":400}'),
    /names another status/,
  ],
  [
    'a rejected valid request',
    () => ({ request: (headers) => void delete headers.authorization }),
    /valid request was rejected/,
  ],
  ['pets of another store', mixesStoresUp, /of another store/],
];

describe('the fuzzer notices', () => {
  it.each(broken)('%s', async (_, spoil, problem) => {
    const origins = new Map<string, string>();
    await using proxies = new AsyncDisposableStack();
    for (const { origin } of program.deployments) {
      origins.set(origin, proxies.use(await startProxy(origin, spoil())).origin);
    }
    const subject = subjectAt((own) => origins.get(own) as string);
    const { failures } = await fuzz('api', subject, { ...options, requests: 1500, seed: 3 });
    expect(failures.map((failure) => failure.problem).join('\n')).toMatch(problem);
  });

  it('unchecked keys', async () => {
    const { origin, key } = program.deployments[0] as { origin: string; key: string };
    await using proxy = await startProxy(origin, {
      request(headers, url) {
        if (/^\/v[12]\//.test(url)) headers.authorization = `Bearer ${key}`;
      },
    });
    const subject = { ...subjectAt(String), targets: [{ origin: proxy.origin, key }] };
    const { failures } = await fuzz('api', subject, options);
    expect(failures.map((failure) => failure.problem).join('\n')).toMatch(/accepted without a key/);
  });

  it('a program that exited', async () => {
    const { failures } = await fuzz('wire', { ...subjectAt(String), ended: () => 'it crashed' }, options);
    expect(failures.map(({ problem }) => problem)).toEqual(['it crashed']);
  });
});
