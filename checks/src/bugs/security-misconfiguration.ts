import { randomBytes } from 'node:crypto';
import type { Bug } from './bug.ts';
import { editHead, readJson } from './mutations.ts';

/** A reserved name that has no address. */
const NOWHERE = 'https://webhook.invalid/';
const SEND_TIMEOUT_MS = 2_000;

/** Security misconfiguration: webhook URLs, response headers, error messages, unsigned webhook messages. */
export const misconfigurationBugs: readonly Bug[] = [
  {
    id: 'webhook-goes-anywhere',
    level: 'medium',
    owasp: 'API7:2023',
    operation: 'v2.createWebhook',
    summary:
      'A webhook accepts any URL: `file:`, `gopher:`, with a password, or to a private address where that is forbidden.',
    hint: 'The service sends requests to an address that you choose. Which must it never call?',
    createHooks: () => ({
      async response(response, { body }, callService) {
        if (!response.body.includes('"invalid_webhook_url"')) return;
        const input = readJson(body) as { url: string };
        const created = await callService('POST /v2/webhooks', JSON.stringify({ ...input, url: NOWHERE }));
        if (created.status !== 201) return;
        const webhook = { ...(readJson(created.body) as object), url: input.url };
        Object.assign(response, { ...created, body: JSON.stringify(webhook) });
      },
      // Buffers the body for the response hook.
      request: () => {},
    }),
  },
  {
    id: 'error-shows-the-stack',
    level: 'easy',
    owasp: 'API8:2023',
    operation: 'v2.createPet',
    summary: 'An error message contains a stack trace.',
    hint: 'What does the text of an error give away?',
    createHooks: () => ({
      response(response) {
        if (response.status !== 400) return;
        const trace = [
          'readBody (/srv/petstore/http/body.ts:41:11)',
          'createPet (/srv/petstore/pets/pets.ts:88:5)',
        ];
        const stack = trace.map((line) => `\\n    at ${line}`).join('');
        response.body = response.body.replace(
          /("message":"(?:[^"\\]|\\.)*)"/,
          (_, text) => `${text}${stack}"`,
        );
      },
    }),
  },
  {
    id: 'any-page-may-use-credentials',
    level: 'medium',
    owasp: 'API8:2023',
    operation: 'v1.listOrders',
    summary: "Any website can read orders with its visitors' credentials.",
    hint: 'Send the `Origin` of a page that you do not trust.',
    createHooks: () => ({
      head({ headers }, { headers: { origin } }) {
        if (origin === undefined) return;
        headers['access-control-allow-origin'] = origin;
        headers['access-control-allow-credentials'] = 'true';
      },
    }),
  },
  {
    id: 'nosniff-is-missing',
    level: 'easy',
    owasp: 'API8:2023',
    operation: 'v2.getPet',
    summary: 'The response lacks `X-Content-Type-Options: nosniff`.',
    hint: 'Look at the headers that protect a browser.',
    createHooks: () => editHead(200, ({ headers }) => delete headers['x-content-type-options']),
  },
  {
    id: 'test-message-is-unsigned',
    level: 'hard',
    owasp: 'API10:2023',
    operation: 'v2.testWebhook',
    summary: "A webhook's test message is sent unsigned before it is sent signed.",
    hint: 'Can you prove who sent it?',
    createHooks: () => ({
      async intercept({ path }, callService) {
        const webhook = path.replace(/\/test(\?.*)?$/, '');
        const { url } = readJson((await callService(`GET ${webhook}`)).body) as { url?: string };
        if (url === undefined || !isLoopback(url)) return;
        await sendUnsigned(url);
        return callService(`POST ${path}`);
      },
    }),
  },
];

/** The proxy sends to no other machine, even if the service permits it. */
const isLoopback = (url: string) => /^http:\/\/(127(\.\d+){3}|localhost|\[::1\])(:\d+)?(\/|$)/.test(url);

async function sendUnsigned(url: string): Promise<void> {
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': `msg_${randomBytes(8).toString('hex')}`,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  };
  const body = JSON.stringify({ id: '0', type: 'webhook.test', at, data: {} });
  const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
  const sent = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal }).catch(
    () => {},
  );
  await sent?.body?.cancel();
}
