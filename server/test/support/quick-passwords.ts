import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded into a program before anything else: its passwords take no time, for tests that are about something else. */
const { scrypt } = crypto;
crypto.scrypt = ((password, salt, length, cost, done) =>
  scrypt(password, salt, length, { ...cost, N: 2 }, done)) as typeof scrypt;
syncBuiltinESMExports();
