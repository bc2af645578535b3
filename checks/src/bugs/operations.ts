/** Method and path of each operation. */
const paths = {
  // Version 0 too: the bug `version-0-needs-no-key` serves it.
  'v1.listOrders': 'GET /v[01]/store/orders',
  'v1.cancelOrder': 'DELETE /v1/store/orders/{}',
  'v1.listPets': 'GET /v1/pets',
  'v1.getPet': 'GET /v1/pets/{}',
  'v2.listOrders': 'GET /v2/store/orders',
  'v2.placeOrder': 'POST /v2/store/orders',
  'v2.getOrder': 'GET /v2/store/orders/{}',
  'v2.cancelOrder': 'DELETE /v2/store/orders/{}',
  'v2.shipOrder': 'POST /v2/store/orders/{}/ship',
  'v2.deliverOrder': 'POST /v2/store/orders/{}/deliver',
  'v2.getOrderHistory': 'GET /v2/store/orders/{}/history',
  'v2.getSummary': 'GET /v2/store/summary',
  'v2.listPets': 'GET /v2/pets',
  'v2.createPet': 'POST /v2/pets',
  'v2.getPet': 'GET /v2/pets/{}',
  'v2.changePet': 'PATCH /v2/pets/{}',
  'v2.listEvents': 'GET /v2/store/events',
  'v2.streamEvents': 'GET /v2/store/events/stream',
  'v2.createWebhook': 'POST /v2/webhooks',
  'v2.getWebhook': 'GET /v2/webhooks/{}',
  'v2.testWebhook': 'POST /v2/webhooks/{}/test',
} as const;

export type Operation = keyof typeof paths;

const patterns = Object.entries(paths).map(([operation, text]) => {
  const pattern = new RegExp(`^${text.replaceAll('{}', '[^/?]+')}(\\?|$)`);
  return [operation as Operation, pattern] as const;
});

/** The requested operation; undefined if no bug can be planted in it. */
export function operationOf({ method, path }: { method: string; path: string }): Operation | undefined {
  return patterns.find(([, pattern]) => pattern.test(`${method} ${path}`))?.[0];
}
