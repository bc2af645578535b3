export const KNOWN_KEY_ID = 'key_known_in_advance';

export const KNOWN_KEY_STAYS =
  'This key was given at the start of the service, by --staging-key, and is known to all: ' +
  'it can be neither rolled nor revoked. Start the service with another one, or without.';
