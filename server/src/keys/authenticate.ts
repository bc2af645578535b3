import { coalescePerTick } from '../concurrency/coalesce-per-tick.ts';
import type { Connection } from '../database/query.ts';
import { type DeploymentName, deploymentNames, deployments } from '../domain/deployment.ts';
import type { IsKey } from '../domain/key-format.ts';
import { errorCodes } from '../http/errors.ts';
import { bearerToken, challenge } from '../http/guards/caller.ts';
import type { Servers } from '../http/server/addresses.ts';
import { isRepeated } from '../http/server/incoming-request.ts';
import type { Caller, Guard, Request } from '../http/server/request.ts';
import { findCaller, findRejectedKey } from './find-caller.ts';
import { RejectedKeys } from './rejected-keys.ts';

interface Options {
  readonly db: Connection;
  readonly deployment: DeploymentName;
  readonly isKey: IsKey;
  readonly now: () => number;
  readonly servers: Servers;
}

export function authenticate({ db, deployment, isKey, now, servers }: Options): Guard {
  const rejectedKeys = new RejectedKeys();
  const coalesce = coalescePerTick<Caller | undefined>();
  const find = async (key: string) => {
    const caller = await findCaller(db, isKey, key, BigInt(now()));
    if (caller) rejectedKeys.recordAccepted(key);
    return caller;
  };
  const explain = (request: Request) => {
    const mistake = mistakeIn(request.headers.authorization, deployment);
    return `${mistake} Sign up at ${servers(request)[0].origin}/console and copy a key from there.`;
  };
  return async (request) => {
    // If it is repeated, a proxy might use the other value.
    if (isRepeated(request, 'authorization'))
      throw challenge('invalid_api_key', 'The request has more than one Authorization header.');
    const key = bearerToken(request);
    if (key === undefined) throw challenge('missing_api_key', explain(request));
    rejectedKeys.check(request.address, key);
    // Requests of one event-loop tick with the same key share a read.
    const caller = await coalesce(key, () => find(key));
    if (!caller) {
      if (isKey(key)) {
        rejectedKeys.recordRejected(request.address);
        request.rejectedKey = await findRejectedKey(db, key);
      }
      throw challenge('invalid_api_key', explain(request));
    }
    request.caller = caller;
  };
}

const MAX_INSPECTED_LENGTH = 100;

const withBearer = /^bearer\b/i;
/** Placeholders in documents; Node decodes `…` as three Latin-1 characters. */
const placeholder = /<[^>]*>|\xe2\x80\xa6|\.\.\./;
const variable = /\$(\w{1,40}|\{\w{1,40}\})/;

function mistakeIn(header: string | undefined, deployment: DeploymentName): string {
  if (!header) return 'Send an API key as a bearer token: Authorization: Bearer <API_KEY>.';
  if (!withBearer.test(header)) return 'The word Bearer is missing: Authorization: Bearer <API_KEY>.';
  const text = header.slice('bearer'.length, MAX_INSPECTED_LENGTH).trim();
  if (text === '') return 'There is no key after Bearer. Is your environment variable set?';
  const [unset] = variable.exec(text) ?? [];
  if (unset !== undefined)
    return `${unset} was sent literally. Use double quotes: shells do not expand variables in single quotes.`;
  if (placeholder.test(text)) return 'This is a placeholder. Replace it with your API key.';
  const keyDeployment = deploymentNames.find((name) => text.startsWith(deployments[name].keyPrefix));
  if (keyDeployment !== undefined && keyDeployment !== deployment)
    return `This is a ${keyDeployment} key, but this is the ${deployment} deployment. Use the ${keyDeployment} URL, or another key.`;
  return errorCodes.invalid_api_key[1];
}
