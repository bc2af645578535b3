import { randomBytes } from 'node:crypto';
import { normalizeEmail } from '../accounts/account-bodies.ts';
import { resetPassword } from '../accounts/change-account.ts';
import { scryptHasher } from '../accounts/passwords.ts';
import type { CommandResult, ServerCommand } from '../config/flags.ts';
import { NotFound } from '../config/usage-error.ts';
import { replaceDomainError } from '../domain/domain-error.ts';
import { openExisting } from './one-deployment.ts';

export const resetAccountPassword: ServerCommand<CommandResult> = async (values, [email = '']) => {
  await using deployment = await openExisting('accounts reset-password', values);
  const password = randomBytes(18).toString('base64url');
  const newHash = await scryptHasher.hash(password);
  const change = { email: normalizeEmail(email), newHash, at: BigInt(Date.now()) };
  const notFound = new NotFound(`account not found: ${email} (${deployment.name})`);
  await deployment.writer.apply(resetPassword, change).catch(replaceDomainError(notFound));
  return { text: password, json: { password } };
};
