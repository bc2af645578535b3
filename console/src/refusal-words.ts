import errors from 'petstore:errors';
import type { InspectedRequest } from './api/requests.ts';

/** Why a request was refused and what to do about it, in plain words; undefined if it was not. */
export function refusalOf(request: InspectedRequest): string | undefined {
  const { status, error } = request;
  if (status < 400) return undefined;
  const known = errors[error ?? '']?.map(sentence).join(' ');
  const reason = known ?? (status < 500 ? 'The service refused it.' : 'The service could not answer it.');
  const said = messageOf(request);
  return said ? `${reason} The service said: “${said}”` : reason;
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** The message of the Error that was answered, where the answer is known. */
function messageOf({ answerBody }: InspectedRequest): string | undefined {
  try {
    const { message } = JSON.parse(answerBody ?? '') as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
