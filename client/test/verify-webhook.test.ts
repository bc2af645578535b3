import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../server/test/support/engines.ts';
import { signatureOf, startReceiver } from '../../server/test/support/receiver.ts';
import { useService } from '../../server/test/support/service.ts';
import { createClient, verifyWebhook, WebhookVerificationError } from '../src/index.ts';

const secret = `whsec_${Buffer.from('a secret of some thirty-two bytes').toString('base64')}`;
const other = `whsec_${Buffer.from('a secret of somebody else, longer').toString('base64')}`;
const body =
  '{"id":"17","type":"order.shipped","at":"2026-12-01T00:00:00.000Z","data":{"id":9007199254740993}}';
const at = new Date('2026-12-01T00:00:00Z');
const now = at.getTime();

const headersOf = (text = body, signedBy = secret) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(now / 1000),
  'webhook-signature': signatureOf(signedBy, 'msg_1', at, text),
});

describe('a delivery', () => {
  it('is parsed with exact IDs', async () => {
    const event = await verifyWebhook(body, headersOf(), secret, { now });
    expect(event).toMatchObject({ id: '17', type: 'order.shipped', data: { id: 9007199254740993n } });
    expect(await verifyWebhook(Buffer.from(body), new Headers(headersOf()), secret, { now })).toEqual(event);
  });

  it('is accepted with any of several secrets and signatures', async () => {
    const headers = headersOf();
    const both = { ...headers, 'webhook-signature': `v2,abc v1,AAAA ${headers['webhook-signature']}` };
    expect(await verifyWebhook(body, both, [other, secret], { now })).toMatchObject({ id: '17' });
  });

  it('of an unknown type is reported as unknown', async () => {
    const later = body.replace('order.shipped', 'order.returned');
    const event = await verifyWebhook(later, headersOf(later), secret, { now });
    expect(event).toMatchObject({ type: 'unknown', name: 'order.returned' });
  });

  it.each([
    ['signed with another secret', body, headersOf(body, other), now],
    ['whose body was changed', body.replace('17', '18'), headersOf(), now],
    ['whose id was changed', body, { ...headersOf(), 'webhook-id': 'msg_2' }, now],
    ['that is too old', body, headersOf(), now + 301_000],
    ['from the future', body, headersOf(), now - 301_000],
    ['without a signature', body, { ...headersOf(), 'webhook-signature': undefined }, now],
    ['without an id', body, { ...headersOf(), 'webhook-id': '' }, now],
    ['without a time', body, { ...headersOf(), 'webhook-timestamp': 'now' }, now],
    ['that is not an event', 'no event', headersOf('no event'), now],
  ])('%s is rejected', async (_, text, headers, clock) => {
    const verified = verifyWebhook(text, headers, secret, { now: clock });
    await expect(verified).rejects.toBeInstanceOf(WebhookVerificationError);
  });

  it('rejects an invalid secret', async () => {
    await expect(verifyWebhook(body, headersOf(), 'pst_test_a', { now })).rejects.toBeInstanceOf(TypeError);
  });
});

describe.each(anyEngine)('a delivery of the service, on $name', (engine) => {
  const service = useService(engine, { webhooks: { allowPrivate: true } });

  it('is verified with its webhook’s secret', async () => {
    await using receiver = await startReceiver();
    const { key } = await service().openStore();
    const client = createClient({ baseUrl: service().origin, key });
    const webhook = await client.webhooks.create({ url: receiver.url });
    await client.webhooks.test(webhook.id);
    const [test] = await receiver.waitForMessages(1);
    const said = await client.webhooks.verify(test?.body ?? '', test?.headers ?? {}, webhook.secret);
    expect(said).toMatchObject({ type: 'webhook.test' });
  });
});
