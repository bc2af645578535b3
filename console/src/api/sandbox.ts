import { queryOptions } from '@tanstack/react-query';
import { readJson } from './http.ts';
import { sendWithKey } from './token.ts';

export const dataSets = [
  ['default', 'Demonstration', 'The 12 pets and 40 orders that every store begins with.'],
  ['empty', 'Empty', 'No order and no pet.'],
  ['int64', 'Hard ids', 'Ids from 1 to 2⁶³ − 1, among them neighbours that round to the same double.'],
  ['large', 'Large', 'As many orders as you like, up to a million.'],
] as const;
export type DataSet = (typeof dataSets)[number][0];

export interface ResetInput {
  readonly dataSet: DataSet;
  readonly seed?: number;
  readonly orders?: number;
}

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

export interface Fault {
  readonly operation: string;
  readonly fault: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** null for always. */
  readonly times: number | null;
}
export interface ArmedFault extends Fault {
  readonly probability: number;
  readonly fired: number;
}

const json = { 'content-type': 'application/json' };
/** A store of a million orders takes its time. */
const PATIENCE_MS = 600_000;

export async function resetStore(input: ResetInput): Promise<{ orders: number; pets: number }> {
  const body = JSON.stringify(input);
  return readJson(
    await sendWithKey('/v2/sandbox/reset', { method: 'POST', headers: json, body, patience: PATIENCE_MS }),
  );
}

export async function armFaults(faults: readonly Fault[]): Promise<void> {
  await sendWithKey('/v2/sandbox/faults', { method: 'PUT', headers: json, body: JSON.stringify(faults) });
}

export async function disarmFaults(): Promise<void> {
  await sendWithKey('/v2/sandbox/faults', { method: 'DELETE' });
}

export const faultsQuery = queryOptions({
  queryKey: ['faults'],
  queryFn: async () => readJson<ArmedFault[]>(await sendWithKey('/v2/sandbox/faults')),
  // How often each has fired changes while one looks at it.
  refetchInterval: 1_000,
});

/** The call that does the same from a terminal. */
export function curlOf(origin: string, method: string, path: string, body?: unknown): string {
  const parts = [
    `curl -X ${method} ${origin}/v2/sandbox${path}`,
    `-H "Authorization: Bearer $PETSTORE_KEY"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ];
  return parts.join(' \\\n  ');
}
