import { documentedErrors } from '../../console/src/api/contract.generated.ts';
import { faultKinds } from '../../server/src/sandbox/fault-kinds.ts';
import { columnsOf } from './help.ts';
import { commandsOf, type Place } from './place.ts';
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

/** Made when it is asked for. */
const faultHelp = () => `
Operations: * for all but the sandbox's own, or
${columnsOf(Object.keys(documentedErrors))}

Faults:
${Object.entries(faultKinds)
  .map(([name, { means }]) => `  ${name.padEnd(18)}${means}`)
  .join('\n')}
`;

/** What calls a store by the client. Each is loaded only when it is asked for. */
export function addStoreCommands(root: Place): void {
  const orders = root.group('orders', 'orders: list, get, place, ship, deliver, cancel, watch', storeFlags);
  const order = commandsOf(() => import('./commands/orders.ts'));
  orders.add('list', 'show orders', orderListFlags, order('listOrders'));
  orders.add('get <ORDER_ID>', 'show one order and its history', {}, order('getOrder'));
  orders.add('place', 'place an order, once, whatever happens on the way', placeFlags, order('placeOrder'));
  orders.add('ship <ORDER_ID...>', 'ship pending orders', {}, order('shipOrders'));
  orders.add('deliver <ORDER_ID...>', 'deliver shipped orders', {}, order('deliverOrders'));
  orders.add('cancel <ORDER_ID...>', 'cancel pending orders', {}, order('cancelOrders'));
  orders.add('watch', 'show what happens to orders, as it happens', watchFlags, order('watchOrders'));

  const pets = root.group('pets', 'pets: list, get, create, set, set-stock', storeFlags);
  const pet = commandsOf(() => import('./commands/pets.ts'));
  pets.add('list', 'show pets and their stock', petListFlags, pet('listPets'));
  pets.add('get <PET_ID>', 'show one pet', {}, pet('getPet'));
  pets.add('set <PET_ID>', 'change what the flags name', petChangeFlags, pet('setPet'));
  pets.add('create', 'add a pet', petFlags, pet('createPet'));
  pets.add('set-stock <PET_ID> <STOCK>', 'set how many units can be ordered', {}, pet('setStock'));

  const sandbox = root.group(
    'sandbox',
    'on staging: a store in any state, and failures on demand',
    storeFlags,
  );
  const stage = commandsOf(() => import('./commands/sandbox.ts'));
  sandbox.add('reset', 'replace everything in the store', contentFlags, stage('resetStore'));
  sandbox.add('data', 'print all pets and orders, as --data takes them', {}, stage('exportData'));
  const stores = sandbox.group('stores', 'a store of its own for each worker: open, end');
  stores.add('open', 'open a new store with a key, which end together', newStoreFlags, stage('openStore'));
  stores.add('end', 'end the store that the key opens, and the key', {}, stage('endStore'));
  const faults = sandbox.group('faults', 'what fails on purpose: list, arm, clear');
  faults.add('list', 'show the armed faults', {}, stage('listFaults'));
  faults
    .add(
      'arm <OPERATION> <FAULT>',
      'arm one fault in place of those that are: v1.cancelOrder lost-answer',
      faultFlags,
      stage('armFault'),
    )
    .addHelpText('after', faultHelp);
  faults.add('clear', 'disarm all', {}, stage('clearFaults'));

  const { url, key, profile, json } = storeFlags;
  root.add(
    'listen',
    'post what happens in a store to a local address, signed as a webhook',
    { ...listenFlags, url, key, profile, json },
    async (call) => (await import('./commands/listen.ts')).listen(call),
  );
  root.add(
    'mcp',
    'the store as tools for an agent, over standard input and output',
    { url, key, profile },
    async (call) => (await import('./commands/mcp.ts')).serveTools(call),
  );
  root.add(
    'login',
    'remember an address and a key under a name',
    {
      key: { ...key, help: `${key.help}, or - to read it from standard input`, required: true },
      url,
      profile,
      json,
    },
    async (call) => (await import('./commands/login.ts')).login(call),
  );
  root.add('logout', 'forget the address and key of a profile', { profile, json }, async (call) =>
    (await import('./commands/login.ts')).logout(call),
  );
  root.add(
    'doctor',
    'find out what is wrong: address, key, clock, versions',
    { url, key, profile, json },
    async (call) => (await import('./commands/doctor.ts')).doctor(call),
  );
}
