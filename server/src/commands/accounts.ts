import { randomBytes } from 'node:crypto';
import { normalAddress } from '../accounts/email-address.ts';
import { scryptHasher } from '../accounts/password-hasher.ts';
import { resetPassword } from '../accounts/reset-password.ts';
import type { ServerCommand } from '../config/flags.ts';
import { UnknownThing } from '../config/usage-error.ts';
import { openDeployment } from '../open-deployment.ts';
import { Refusal } from '../refusal.ts';
import { mustExist, oneDeployment } from './one-deployment.ts';

/** `petstore accounts reset-password EMAIL`: sets a new password, which is printed once, and ends every session. */
export const resetAccountPassword: ServerCommand = async (values, [email = '']) => {
  const { name, location } = oneDeployment('accounts reset-password', values);
  mustExist(name, location);
  const password = randomBytes(18).toString('base64url');
  const newHash = await scryptHasher.hash(password);
  await using deployment = await openDeployment(name, location);
  const change = { email: normalAddress(email), newHash, at: BigInt(Date.now()) };
  await deployment.writer.apply(resetPassword, change).catch((error: unknown) => {
    throw error instanceof Refusal
      ? new UnknownThing(`no account of ${name} has the address ${email}`)
      : error;
  });
  console.log(password);
};
