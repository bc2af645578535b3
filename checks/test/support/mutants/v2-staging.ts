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

/** Replaces text in the bodies of matching requests. */
const replacing = (
  isMatch: (forwarded: ForwardedRequest) => boolean,
  what: string | RegExp,
  by: string,
): Pick<Mutant, 'request'> => ({
  request: (forwarded) => {
    if (isMatch(forwarded)) forwarded.body = forwarded.body.replace(what, by);
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
    name: 'a webhook receives events of all types',
    noticedBy: 'v2.webhooks.types',
    ...inBody((body) => {
      if ('url' in body) delete body.types;
    }, 'types'),
  },
  {
    name: 'a webhook returns its secret again',
    noticedBy: 'v2.webhooks.secret-once',
    ...repeatSecrets(),
  },
  {
    name: 'a webhook test returns 200',
    noticedBy: 'v2.webhooks.test',
    response: inStatus(202, (response) => {
      response.status = 200;
    }),
  },
  {
    name: 'deliveries are listed oldest first',
    noticedBy: 'v2.webhooks.newest-first',
    ...inDeliveries((items) => items.toReversed()),
  },
  {
    name: 'an undeliverable webhook URL is 400 invalid_body',
    noticedBy: 'v2.webhooks.invalid',
    response: inStatus(422, (response) => {
      if (response.body.includes('invalid_webhook_url')) rejectWith(response, 400, 'invalid_body');
    }),
  },
  {
    name: 'a deleted webhook is 410',
    noticedBy: 'v2.webhooks.delete',
    response: (response, { path }) => {
      if (response.status === 404 && path.startsWith('/v2/webhooks/')) rejectWith(response, 410, 'gone');
    },
  },
  {
    name: 'a failed delivery has no next attempt',
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
    name: 'a reset records no event',
    noticedBy: 'v2.sandbox',
    operation: 'v2.listEvents',
    ...inPage((events) => events.filter(({ type }) => type !== 'store.reset')),
  },
  {
    name: 'the 404 of the sandbox on production does not mention staging',
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
    name: 'Preference-Applied is missing',
    noticedBy: 'v2.faults',
    head: ({ headers }) => {
      delete headers['preference-applied'];
    },
  },
  {
    name: 'an unknown preference is rejected',
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
    name: 'Retry-After is seconds instead of a date',
    noticedBy: 'v2.faults.retry-after',
    ...replacing(isFaults, '"retryAfterForm":"date"', '"retryAfterForm":"seconds"'),
  },
  {
    name: 'a stale connection announces Connection: close',
    noticedBy: 'v2.faults.fault.stale-connection',
    head: (response, { headers }) => {
      if (headers.prefer?.includes('stale')) response.headers.connection = 'close';
    },
  },
  {
    name: 'faults cannot be disarmed',
    noticedBy: 'v2.faults.disarm',
    async intercept(forwarded) {
      const isDisarming = isFaults(forwarded) && forwarded.method === 'DELETE';
      return isDisarming ? { status: 204, headers: { 'x-request-id': 'a' }, body: '' } : undefined;
    },
  },
];

/** Includes the secret shown on creation whenever the webhook is shown. */
function repeatSecrets(): Pick<Mutant, 'response'> {
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
