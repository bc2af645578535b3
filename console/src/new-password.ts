import { passwordLimits } from '../../server/src/password-limits.ts';

/** What a field for a new password asks for: the server's own limits. */
export const newPassword = {
  minLength: passwordLimits.shortest,
  maxLength: passwordLimits.longest,
  hint: `At least ${passwordLimits.shortest} characters, and not a common one.`,
};
