import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Preloaded into a program: password hashing takes no time, for tests that are not about it. */
const { scrypt } = crypto;
crypto.scrypt = ((password, salt, length, cost, done) =>
  scrypt(password, salt, length, { ...cost, N: 2 }, done)) as typeof scrypt;
syncBuiltinESMExports();
