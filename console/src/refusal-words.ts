import type { InspectedRequest } from './api/requests.ts';

/** What each code means for someone whose request was refused, and what to do about it. */
const words: Readonly<Record<string, string>> = {
  bad_request: 'It was not valid HTTP. Something on the way, or the client itself, wrote it wrongly.',
  invalid_parameter:
    'One of its query parameters is unknown here, or has a value that it cannot have. The answer names it.',
  invalid_cursor:
    'Its cursor was not made here, or for other filters. A cursor goes back with exactly the filters it came with.',
  invalid_body:
    'Its body is not what the operation takes: a field is missing, unknown, or of the wrong type.',
  invalid_preference: 'It asked by “Prefer” for something unknown, and strictly so.',
  missing_api_key: 'It came without a key. Send one as “Authorization: Bearer …”.',
  invalid_api_key:
    'Its key has expired or was revoked. Create another one, or roll keys early enough before they expire.',
  forbidden: 'Its key may only read, and this changes something. Use a key that may do everything.',
  not_found:
    'There is nothing at this address. An order of another store, or an id that is no number, looks the same from outside.',
  method_not_allowed:
    'The address exists, but not for this method. The answer’s “Allow” header lists those it has.',
  request_timeout: 'It did not arrive in time: the client began to send it and then stopped.',
  order_already_shipped:
    'The order had left already. Only orders that are still pending can be cancelled, and trying again will not help.',
  order_already_cancelled: 'The order was cancelled before. What you want has already happened.',
  invalid_transition:
    'The order was in another state: it goes from pending to shipped to delivered, and never back.',
  insufficient_stock: 'There are not as many units of the pet left as it asked for. Nothing was taken.',
  webhook_limit_reached: 'The store has as many webhooks as it may have. Delete one first.',
  key_limit_reached: 'The store has as many working keys as it may have. Revoke one first.',
  pet_limit_reached: 'The store has as many pets as it may have.',
  order_limit_reached: 'The store has as many orders as it may have.',
  idempotency_key_in_use:
    'Another request with the same “Idempotency-Key” was still under way. Wait a moment, then send it again.',
  gone: 'This operation was withdrawn on its sunset date. Version 2 has its successor.',
  payload_too_large: 'Its body is larger than any that this operation needs.',
  uri_too_long: 'Its address is too long.',
  unsupported_media_type: 'Its body must come as “application/json”, and not compressed.',
  unknown_pet: 'It is for a pet that this store does not have.',
  invalid_webhook_url: 'Nothing can be sent to that address: it must be public, and begin with “https:”.',
  idempotency_key_reused:
    'Its “Idempotency-Key” had been used for another body. A key belongs to one request: take a new one.',
  rate_limited: 'The store had used up its requests for this minute. “Retry-After” says how long to wait.',
  headers_too_large: 'Its headers are too large.',
  internal_error: 'That is our fault. Report it with the request id below.',
  unavailable: 'The service could not answer at that moment. Send it again after a short while.',
};

/** Why a request was refused, in plain words; undefined if it was not. */
export function refusalOf(request: InspectedRequest): string | undefined {
  const { status, error } = request;
  if (status < 400) return undefined;
  const known = error === null ? undefined : words[error];
  const reason = known ?? (status < 500 ? 'The service refused it.' : 'The service could not answer it.');
  const said = messageOf(request);
  return said ? `${reason} The service said: “${said}”` : reason;
}

/** The message of the Error that was answered, where the answer is known. */
function messageOf({ answerBody }: InspectedRequest): string | undefined {
  try {
    const { message } = JSON.parse(answerBody ?? '') as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
