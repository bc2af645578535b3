import { queryOptions } from '@tanstack/react-query';
import { writeJson } from '../../../client/src/index.ts';
import { client } from './client.ts';

export const dataSets = [
  ['default', 'Demonstration', 'The 12 pets and 40 orders that every store begins with.'],
  ['empty', 'Empty', 'No order and no pet.'],
  ['int64', 'Hard ids', 'Ids from 1 to 2⁶³ − 1, among them neighbours that round to the same double.'],
  ['large', 'Large', 'As many orders as you like, up to a million.'],
] as const;
export type DataSet = (typeof dataSets)[number][0];

export const faultKinds = [
  ['status', 'an error that the operation documents', 'code'],
  ['delay', 'the right answer, later', 'ms'],
  ['slow', 'the right answer, its bytes spread over a time', 'ms'],
  ['drop', 'the connection closes without an answer'],
  ['reset', 'the same with a TCP reset'],
  ['truncate', 'half of the body, then the connection closes'],
  ['garbage', 'bytes that are not HTTP'],
  ['lost-answer', 'the change is made, its answer is lost'],
  ['stale-connection', 'the right answer, then a connection closed behind it'],
] as const;

export const operations = [
  '*',
  'v1.listOrders',
  'v1.cancelOrder',
  'v1.listPets',
  'v1.getPet',
  'v2.listOrders',
  'v2.placeOrder',
  'v2.getOrder',
  'v2.cancelOrder',
  'v2.shipOrder',
  'v2.deliverOrder',
  'v2.getOrderHistory',
  'v2.listPets',
  'v2.createPet',
  'v2.getPet',
  'v2.changePet',
] as const;

export type { ArmedFault, FaultInput as Fault } from '../../../client/src/index.ts';

export const faultsQuery = queryOptions({
  queryKey: ['faults'],
  queryFn: ({ signal }) => client.sandbox.faults({ signal }),
  // How often each has fired changes while one looks at it.
  refetchInterval: 1_000,
});

/** The call that does the same from a terminal. */
export function curlOf(origin: string, method: string, path: string, body?: unknown): string {
  const parts = [
    `curl -X ${method} ${origin}/v2/sandbox${path}`,
    `-H "Authorization: Bearer $PETSTORE_KEY"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${writeJson(body)}'`]),
  ];
  return parts.join(' \\\n  ');
}
