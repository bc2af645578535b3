import { queryOptions } from '@tanstack/react-query';
import { type ArmedFault, type FaultInput, writeJson } from '../../../client/src/index.ts';
import { client } from './client.ts';
import { type dataSets, documentedErrors, type faultParameters } from './contract.generated.ts';
import { queryClient } from './queries.ts';

export type { ArmedFault, FaultInput as Fault };
export type FaultKind = keyof typeof faultParameters;
export type DataSet = (typeof dataSets)[number];

/** What each data set is called here, and what it holds. */
export const dataSetWords: Record<DataSet, readonly [name: string, about: string]> = {
  default: ['Demonstration', 'The 12 pets and 40 orders that every store begins with.'],
  empty: ['Empty', 'No order and no pet.'],
  int64: ['Hard ids', 'Ids from 1 to 2⁶³ − 1, among them neighbours that round to the same double.'],
  large: ['Large', 'As many orders as you like, up to a million.'],
};

/** What happens when each fault fires. */
export const faultWords: Record<FaultKind, string> = {
  status: 'The operation answers with an error that it documents. Nothing is done.',
  delay: 'The right answer comes, but later.',
  slow: 'The right answer comes, its bytes spread over a time.',
  drop: 'The connection closes before a byte of the answer. Nothing is done.',
  reset: 'The connection is reset before a byte of the answer. Nothing is done.',
  truncate: 'Status and headers come, then half of the body, then the connection closes.',
  garbage: 'Bytes come that are not HTTP, then the connection closes. Nothing is done.',
  'lost-answer': 'The change is made, and the answer is lost.',
  'stale-connection': 'The right answer comes, and then the connection is closed without a word.',
};

/** Stands for every operation but the sandbox's own. */
export const ALL = '*';
export const operations: readonly string[] = [ALL, ...Object.keys(documentedErrors)];

/** The statuses of the errors that an operation documents, or that any of them does. */
export function statusesOf(operation: string): readonly number[] {
  const documented: Readonly<Record<string, readonly number[]>> = documentedErrors;
  const all = operation === ALL ? Object.values(documented).flat() : (documented[operation] ?? []);
  return [...new Set(all)].sort((a, b) => a - b);
}

export const faultsQuery = queryOptions({
  queryKey: ['faults'],
  queryFn: ({ signal }) => client.sandbox.faults({ signal }),
  // How often each has fired changes while one looks at it.
  refetchInterval: 1_000,
});

export async function disarmFaults(): Promise<void> {
  await client.sandbox.clearFaults();
  await refreshFaults();
}

export const refreshFaults = () => queryClient.invalidateQueries({ queryKey: faultsQuery.queryKey });

/** What an armed fault can still do. */
export function leftOf({ fired, times = 1, ...fault }: ArmedFault): FaultInput[] {
  if (times === null) return [{ ...fault, times }];
  return fired < times ? [{ ...fault, times: times - fired }] : [];
}

/** The call that does the same from a terminal. */
export function curlOf(origin: string, method: string, path: string, body?: unknown): string {
  const parts = [
    `curl -X ${method} ${origin}/v2/sandbox${path}`,
    `-H "Authorization: Bearer $PETSTORE_KEY"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${writeJson(body)}'`]),
  ];
  return parts.join(' \\\n  ');
}
