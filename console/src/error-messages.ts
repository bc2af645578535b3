import errors from 'petstore:errors';
import type { Explanation } from './api/explain.ts';
import type { InspectedRequest } from './api/requests.ts';
import { type FaultKind, faultDescriptions } from './api/sandbox.ts';

/** Explains a failed request; undefined for a successful one. */
export function explainRequest(request: InspectedRequest): Explanation | undefined {
  const { status, error, fault } = request;
  if (fault !== null) {
    return {
      title: 'A sandbox fault was triggered',
      text: faultDescriptions[fault as FaultKind] ?? 'The service behaved as configured.',
    };
  }
  if (status === null || status < 400) return undefined;
  const known = errors[error ?? '']?.map(sentence).join(' ');
  const reason =
    known ??
    (status < 500 ? 'The service rejected this request.' : 'The service failed to handle this request.');
  const text = messageOf(request);
  return {
    title: text ?? (status < 500 ? 'Request rejected' : 'Server error'),
    text: reason,
    code: `${status} ${error ?? ''}`,
  };
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** The error message from the response body, if it was stored. */
function messageOf({ answerBody }: InspectedRequest): string | undefined {
  try {
    const { message } = JSON.parse(answerBody ?? '') as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
