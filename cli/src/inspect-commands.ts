import { commandsOf, type Flags, type Place } from './place.ts';
import { storeFlags } from './store-flags.ts';

const only = (value: string, help: string) => ({ value, help, variable: false });
const page: Flags = {
  limit: only('N', 'how many at the most (default 50)'),
  all: { help: 'all of them', variable: false },
};
const types: Flags = { types: only('TYPES', 'of these types alone, separated by commas (default all)') };

/** What shows who calls a store, what came of it, and where its events go. Each is loaded when it is asked for. */
export function addInspectCommands(root: Place): void {
  const webhooks = root.group(
    'webhooks',
    'webhooks: list, create, delete, test, deliveries, redeliver',
    storeFlags,
  );
  const webhook = commandsOf(() => import('./commands/webhooks.ts'));
  webhooks.add('list', 'show where events are sent', {}, webhook('listWebhooks'));
  webhooks.add(
    'create <URL>',
    'have events sent there; shows the secret, once',
    types,
    webhook('createWebhook'),
  );
  webhooks.add('delete <WEBHOOK_ID>', 'send nothing more there', {}, webhook('deleteWebhook'));
  webhooks.add('test <WEBHOOK_ID>', 'send it an event that means nothing', {}, webhook('testWebhook'));
  webhooks.add(
    'deliveries <WEBHOOK_ID>',
    'show what was sent, the newest first',
    page,
    webhook('listDeliveries'),
  );
  webhooks.add('redeliver <WEBHOOK_ID> <DELIVERY_ID>', 'send one once more', {}, webhook('redeliver'));

  root.add(
    'requests',
    'show the last requests to the store, or those that come',
    { ...storeFlags, ...page, follow: { help: 'go on, with each request as it comes', variable: false } },
    async (call) => (await import('./commands/requests.ts')).showRequests(call),
  );
  root.add('whoami', 'show which store is called, with which key', storeFlags, async (call) =>
    (await import('./commands/whoami.ts')).whoami(call),
  );
  root.add('profiles', 'show what login remembers', { json: storeFlags.json }, async (call) =>
    (await import('./commands/whoami.ts')).listProfiles(call),
  );
}
