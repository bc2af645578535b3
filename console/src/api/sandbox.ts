import { queryOptions } from '@tanstack/react-query';
import { type ArmedFault, type FaultInput, writeJson } from '../../../client/src/index.ts';
import { client } from './client.ts';
import { type dataSets, documentedErrors, type faultParameters } from './contract.generated.ts';
import { queryClient } from './queries.ts';

export type { ArmedFault, FaultInput as Fault };
export type FaultKind = keyof typeof faultParameters;
export type DataSet = (typeof dataSets)[number];

/** Label and description of each data set. */
export const dataSetLabels: Record<DataSet, readonly [name: string, about: string]> = {
  default: ['Demonstration', 'The 12 pets and 40 orders that every store starts with.'],
  empty: ['Empty', 'No pets and no orders.'],
  int64: ['Edge-case IDs', 'IDs from 1 to 2⁶³ − 1, including neighbors that round to the same double.'],
  large: ['Large', 'Up to 1,000,000 generated orders.'],
};

/** Description of each fault. */
export const faultDescriptions: Record<FaultKind, string> = {
  status: 'Returns one of the documented errors. Changes nothing.',
  delay: 'Returns the correct response after a delay.',
  slow: 'Returns the correct response slowly, its bytes spread over the duration.',
  drop: 'Closes the connection before responding. Changes nothing.',
  reset: 'Resets the TCP connection before responding. Changes nothing.',
  truncate: 'Sends the status, headers and half of the body, then closes the connection.',
  garbage: 'Sends bytes that are not HTTP, then closes the connection. Changes nothing.',
  'lost-answer': 'Makes the change, then closes the connection before responding.',
  'stale-connection': 'Returns the correct response with keep-alive, then silently closes the connection.',
};

/** Every operation except the sandbox's own. */
export const ALL_OPERATIONS = '*';
export const operations: readonly string[] = [ALL_OPERATIONS, ...Object.keys(documentedErrors)];

/** The documented error statuses of an operation, or of all operations. */
export function statusesOf(operation: string): readonly number[] {
  const documented: Readonly<Record<string, readonly number[]>> = documentedErrors;
  const all = operation === ALL_OPERATIONS ? Object.values(documented).flat() : (documented[operation] ?? []);
  return [...new Set(all)].sort((a, b) => a - b);
}

export const faultsQuery = queryOptions({
  queryKey: ['faults'],
  queryFn: ({ signal }) => client.sandbox.faults({ signal }),
  // Keeps the fired counts current.
  refetchInterval: 1_000,
});

export async function disarmFaults(): Promise<void> {
  await client.sandbox.clearFaults();
  await refreshFaults();
}

export const refreshFaults = () => queryClient.invalidateQueries({ queryKey: faultsQuery.queryKey });

/** The fault with the times it has left, as a list: empty if it has fired every time. */
export function remainingFault({ fired, times = 1, ...fault }: ArmedFault): FaultInput[] {
  if (times === null) return [{ ...fault, times }];
  return fired < times ? [{ ...fault, times: times - fired }] : [];
}

/** The equivalent curl command. */
export function curlOf(origin: string, method: string, path: string, body?: unknown): string {
  const parts = [
    `curl -X ${method} ${origin}/v2/sandbox${path}`,
    `-H "Authorization: Bearer $PETSTORE_KEY"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${writeJson(body)}'`]),
  ];
  return parts.join(' \\\n  ');
}
