import { ApiError } from '../http/errors.ts';
import type { Guard } from '../http/server/guard.ts';

export const refuseOutsideStaging = (): never => {
  throw new ApiError('not_found', 'The sandbox is only on staging: use its address and a key of staging.');
};

export const sandboxOnStagingOnly: Guard = ({ path }) =>
  path.startsWith('/v2/sandbox/') ? refuseOutsideStaging() : undefined;
