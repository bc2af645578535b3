import { documentedErrors } from '../../console/src/api/contract.generated.ts';
import { faultKinds } from '../../server/src/sandbox/fault-kinds.ts';
import { type CommandGroup, commandsOf } from './command-group.ts';
import { columnsOf } from './help.ts';
import {
  contentFlags,
  faultFlags,
  listenFlags,
  newStoreFlags,
  orderListFlags,
  petChangeFlags,
  petFlags,
  petListFlags,
  placeFlags,
  storeFlags,
  watchFlags,
} from './store-flags.ts';

/** Built only when requested. */
const faultHelp = () => `
Operations (* matches all except the sandbox's own):
${columnsOf(Object.keys(documentedErrors))}

Faults:
${Object.entries(faultKinds)
  .map(([name, { description }]) => `  ${name.padEnd(18)}${description}`)
  .join('\n')}
`;

/** Commands that call a store through the client. Each module is loaded on first use. */
export function addStoreCommands(root: CommandGroup): void {
  const orders = root.group('orders', 'List, place and manage orders', storeFlags);
  const order = commandsOf(() => import('./commands/orders.ts'));
  orders.add('list', 'List orders, newest first', orderListFlags, order('listOrders'));
  orders.add('get <ORDER_ID>', 'Show an order and its history', {}, order('getOrder'));
  orders.add('place', 'Place an order; retries never create a second order', placeFlags, order('placeOrder'));
  orders.add('ship <ORDER_ID...>', 'Ship pending orders', {}, order('shipOrders'));
  orders.add('deliver <ORDER_ID...>', 'Deliver shipped orders', {}, order('deliverOrders'));
  orders.add('cancel <ORDER_ID...>', 'Cancel pending orders', {}, order('cancelOrders'));
  orders.add('watch', 'Stream order events as they happen', watchFlags, order('watchOrders'));

  const pets = root.group('pets', 'List, create and update pets', storeFlags);
  const pet = commandsOf(() => import('./commands/pets.ts'));
  pets.add('list', 'List pets and their stock', petListFlags, pet('listPets'));
  pets.add('get <PET_ID>', 'Show a pet', {}, pet('getPet'));
  pets.add('set <PET_ID>', 'Update the given fields of a pet', petChangeFlags, pet('setPet'));
  pets.add('create', 'Create a pet', petFlags, pet('createPet'));
  pets.add('set-stock <PET_ID> <STOCK>', 'Set the number of units in stock', {}, pet('setStock'));

  const sandbox = root.group('sandbox', 'Set up test data and inject faults (staging only)', storeFlags);
  const sandboxCommand = commandsOf(() => import('./commands/sandbox.ts'));
  sandbox.add('reset', 'Replace all data in the store', contentFlags, sandboxCommand('resetStore'));
  sandbox.add('data', 'Print all pets and orders in the format of --data', {}, sandboxCommand('exportData'));
  const stores = sandbox.group('stores', 'Open and delete temporary stores, such as one per test worker');
  stores.add('open', 'Open a temporary store and print its key', newStoreFlags, sandboxCommand('openStore'));
  stores.add('end', 'Delete the temporary store and its key', {}, sandboxCommand('endStore'));
  const faults = sandbox.group('faults', 'List, arm and clear faults');
  faults.add('list', 'List armed faults', {}, sandboxCommand('listFaults'));
  faults
    .add(
      'arm <OPERATION> <FAULT>',
      'Arm a fault and disarm any others (example: v1.cancelOrder lost-answer)',
      faultFlags,
      sandboxCommand('armFault'),
    )
    .addHelpText('after', faultHelp);
  faults.add('clear', 'Disarm all faults', {}, sandboxCommand('clearFaults'));

  const { url, key, profile, json } = storeFlags;
  root.add(
    'listen',
    'Forward events to a local URL as signed webhooks',
    { ...listenFlags, url, key, profile, json },
    async (call) => (await import('./commands/listen.ts')).listen(call),
  );
  root.add(
    'mcp',
    'Serve the store as MCP tools over standard input and output',
    { url, key, profile },
    async (call) => (await import('./commands/mcp.ts')).serveTools(call),
  );
  root.add(
    'login',
    'Verify a key and save it with its URL as a profile',
    {
      key: { ...key, help: `${key.help}, or - to read it from standard input`, required: true },
      url,
      profile,
      json,
    },
    async (call) => (await import('./commands/login.ts')).login(call),
  );
  root.add('logout', 'Delete a saved profile', { profile, json }, async (call) =>
    (await import('./commands/login.ts')).logout(call),
  );
  root.add(
    'doctor',
    'Diagnose the setup: versions, profile, URL, key, clock',
    { url, key, profile, json },
    async (call) => (await import('./commands/doctor.ts')).doctor(call),
  );
}
