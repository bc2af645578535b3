import { type CommandGroup, commandsOf, type Flags } from './command-group.ts';
import { flagOnly, pageFlags, storeFlags } from './store-flags.ts';

const types: Flags = { types: flagOnly('TYPES', 'Event types to send (comma-separated; default: all)') };

/** Commands for webhooks, requests and profiles. Each module is loaded on first use. */
export function addInspectCommands(root: CommandGroup): void {
  const webhooks = root.group('webhooks', 'Manage webhooks and their deliveries', storeFlags);
  const webhook = commandsOf(() => import('./commands/webhooks.ts'));
  webhooks.add('list', 'List webhooks', {}, webhook('listWebhooks'));
  webhooks.add('create <URL>', 'Create a webhook; prints its secret once', types, webhook('createWebhook'));
  webhooks.add('delete <WEBHOOK_ID>', 'Delete a webhook', {}, webhook('deleteWebhook'));
  webhooks.add('test <WEBHOOK_ID>', 'Send a test event', {}, webhook('testWebhook'));
  webhooks.add(
    'deliveries <WEBHOOK_ID>',
    'List deliveries, newest first',
    pageFlags,
    webhook('listDeliveries'),
  );
  webhooks.add('redeliver <WEBHOOK_ID> <DELIVERY_ID>', 'Resend a delivery', {}, webhook('redeliver'));

  root.add(
    'requests',
    'List recent requests to the store, or follow new ones',
    { ...storeFlags, ...pageFlags, follow: { help: 'Print new requests as they arrive', variable: false } },
    async (call) => (await import('./commands/requests.ts')).showRequests(call),
  );
  root.add('whoami', 'Show the current store and key', storeFlags, async (call) =>
    (await import('./commands/whoami.ts')).whoami(call),
  );
  root.add('profiles', 'List saved profiles', { json: storeFlags.json }, async (call) =>
    (await import('./commands/whoami.ts')).listProfiles(call),
  );
}
