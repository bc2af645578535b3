import type { ForwardedRequest } from '../../../src/bugs/bug.ts';
import { rejectWith } from '../../../src/bugs/mutations.ts';
import { inStatus, type Mutant, whenever, withoutHeader } from './changes.ts';
import { inBody, inPage } from './json-changes.ts';

const isReset = ({ path }: ForwardedRequest) => path === '/v2/sandbox/reset';
const isFaults = ({ path }: ForwardedRequest) => path === '/v2/sandbox/faults';
const isDeliveries = ({ path }: ForwardedRequest) => /\/deliveries(\?|$)/.test(path);
const secretOf = (body: string) => /"secret":"([^"]*)"/.exec(body)?.[1] ?? '';

/** Changes the items of a page of deliveries. */
const inDeliveries = (change: Parameters<typeof inPage>[0]): Pick<Mutant, 'response'> => ({
  response: (response, forwarded, callService) =>
    isDeliveries(forwarded) ? inPage(change).response?.(response, forwarded, callService) : undefined,
});

/** Writes something else into the bodies of some requests. */
const replacing = (
  isTouched: (forwarded: ForwardedRequest) => boolean,
  what: string | RegExp,
  by: string,
): Pick<Mutant, 'request'> => ({
  request: (forwarded) => {
    if (isTouched(forwarded)) forwarded.body = forwarded.body.replace(what, by);
  },
});

/** Webhooks and the sandbox. */
export const ofStaging: readonly Mutant[] = [
  {
    name: 'webhooks are signed with another secret than the one shown',
    noticedBy: 'v2.webhooks',
    response: inStatus(201, (response) => {
      const secret = secretOf(response.body);
      response.body = response.body.replace(secret, `whsec_${'A'.repeat(43)}=`);
    }),
  },
  {
    name: 'a webhook is sent all types',
    noticedBy: 'v2.webhooks.types',
    ...inBody((body) => {
      if ('url' in body) delete body.types;
    }, 'types'),
  },
  {
    name: 'a secret is shown again',
    noticedBy: 'v2.webhooks.secret-once',
    ...remembersSecrets(),
  },
  {
    name: 'a test of a webhook is 200',
    noticedBy: 'v2.webhooks.test',
    response: inStatus(202, (response) => {
      response.status = 200;
    }),
  },
  {
    name: 'deliveries begin with the oldest',
    noticedBy: 'v2.webhooks.newest-first',
    ...inDeliveries((items) => items.toReversed()),
  },
  {
    name: 'an address where nothing can be sent is a wrong body',
    noticedBy: 'v2.webhooks.invalid',
    response: inStatus(422, (response) => {
      if (response.body.includes('invalid_webhook_url')) rejectWith(response, 400, 'invalid_body');
    }),
  },
  {
    name: 'a webhook that was deleted is 410',
    noticedBy: 'v2.webhooks.delete',
    response: (response, { path }) => {
      if (response.status === 404 && path.startsWith('/v2/webhooks/')) rejectWith(response, 410, 'gone');
    },
  },
  {
    name: 'a try that failed is the last one',
    noticedBy: 'v2.webhooks.retried',
    ...inDeliveries((items) => items.map((item) => ({ ...item, nextAttemptAt: null }))),
  },

  {
    name: 'an empty store is not empty',
    noticedBy: 'v2.sandbox',
    ...replacing(isReset, '"empty"', '"default"'),
  },
  {
    name: 'the seed is ignored',
    noticedBy: 'v2.sandbox',
    ...replacing(isReset, /,"seed":\d+/, ''),
  },
  {
    name: 'a reset is no event',
    noticedBy: 'v2.sandbox',
    operation: 'v2.listEvents',
    ...inPage((events) => events.filter(({ type }) => type !== 'store.reset')),
  },
  {
    name: 'nothing says that the sandbox is on staging',
    noticedBy: 'v2.sandbox.production',
    response: whenever(
      ({ status }, { path }) => status === 404 && path.startsWith('/v2/sandbox'),
      (response) => {
        response.body = response.body.replace(/"message":"[^"]*"/, '"message":"No."');
      },
    ),
  },
  { name: 'preferences are ignored', noticedBy: 'v2.faults', request: withoutHeader('prefer') },
  {
    name: 'a preference that was applied is not named',
    noticedBy: 'v2.faults',
    head: ({ headers }) => {
      delete headers['preference-applied'];
    },
  },
  {
    name: 'an unknown preference is refused',
    noticedBy: 'v2.faults.strict',
    request: ({ headers }) => {
      if (headers.prefer) headers.prefer += ', handling=strict';
    },
  },
  {
    name: 'a fault fires once more',
    noticedBy: 'v2.faults.times',
    ...replacing(isFaults, '"times":2', '"times":3'),
  },
  {
    name: 'a date to try again at is a number of seconds',
    noticedBy: 'v2.faults.retry-after',
    ...replacing(isFaults, '"retryAfterForm":"date"', '"retryAfterForm":"seconds"'),
  },
  {
    name: 'a connection that goes stale is said to close',
    noticedBy: 'v2.faults.fault.stale-connection',
    head: (response, { headers }) => {
      if (headers.prefer?.includes('stale')) response.headers.connection = 'close';
    },
  },
  {
    name: 'faults cannot be disarmed',
    noticedBy: 'v2.faults.disarm',
    async instead(forwarded) {
      const isDisarming = isFaults(forwarded) && forwarded.method === 'DELETE';
      return isDisarming ? { status: 204, headers: { 'x-request-id': 'a' }, body: '' } : undefined;
    },
  },
];

/** Includes the secret shown on creation whenever the webhook is shown. */
function remembersSecrets(): Pick<Mutant, 'response'> {
  const secrets = new Map<string, string>();
  return {
    response(response, { path }) {
      const id = /"id":"(wh_\w+)"/.exec(response.body)?.[1] ?? '';
      const secret = secretOf(response.body);
      if (secret) secrets.set(id, secret);
      else if (path === `/v2/webhooks/${id}`) {
        response.body = response.body.replace('"active":', `"secret":"${secrets.get(id)}","active":`);
      }
    },
  };
}
