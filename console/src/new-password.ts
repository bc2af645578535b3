import { passwordLimits } from '../../server/src/domain/password-limits.ts';

/** Props of a new-password field, from the server's limits. */
export const newPassword = {
  minLength: passwordLimits.shortest,
  maxLength: passwordLimits.longest,
  hint: `At least ${passwordLimits.shortest} characters. Avoid common passwords.`,
};
