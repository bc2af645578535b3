import type { InspectedRequest } from './api/requests.ts';
import type { OrderHistoryEntry, OrderStatus } from './api/store.ts';
import { operationOf } from './requests-search.ts';

/** The operation that leads to each status. */
const operations: Readonly<Record<OrderStatus, string>> = {
  pending: 'placeOrder',
  shipped: 'shipOrder',
  delivered: 'deliverOrder',
  cancelled: 'cancelOrder',
};

/** Clocks of replicas may differ. */
const TOLERANCE_MS = 1_000;

/** The request that changed an order, if the inspector still has it. The console's own requests are not recorded. */
export function findRequestOfChange(
  id: bigint,
  { status, at }: OrderHistoryEntry,
  requests: readonly InspectedRequest[],
): InspectedRequest | undefined {
  const changedAt = Date.parse(at);
  return requests.find((request) => {
    const endedAt = Date.parse(request.at);
    const isSameTime =
      changedAt <= endedAt + TOLERANCE_MS && changedAt >= endedAt - request.durationMs - TOLERANCE_MS;
    const isDone = request.status !== null && request.status < 300;
    return (
      isSameTime &&
      isDone &&
      operationOf(request).endsWith(`.${operations[status]}`) &&
      mentionsOrder(request, id)
    );
  });
}

/** Whether a request is about the order: by its path, the body of an MCP call, or the order in its response. */
function mentionsOrder(
  { path, requestBody, answerBody: responseBody }: InspectedRequest,
  id: bigint,
): boolean {
  if (new RegExp(`/orders/${id}(?:[/?]|$)`).test(path)) return true;
  if (new RegExp(`"orderId"\\s*:\\s*"?${id}\\b`).test(requestBody ?? '')) return true;
  return new RegExp(`\\{\\\\?"id\\\\?"\\s*:\\s*(?:\\\\?")?${id}\\b`).test(responseBody ?? '');
}
