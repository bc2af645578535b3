import { type DeploymentName, deploymentNames, deployments } from '../../deployment.ts';
import { errorCodes } from '../errors.ts';

const LONGEST_LOOKED_AT = 100;

const withBearer = /^bearer\b/i;
/** Documents have one of these in place of a key; Node reads `…` as three characters. */
const placeholder = /<[^>]*>|\xe2\x80\xa6|\.\.\./;
const variable = /\$(\w{1,40}|\{\w{1,40}\})/;

export function keyAdvice(header: string | undefined, deployment: DeploymentName, origin: string): string {
  return `${mistakeIn(header, deployment)} Sign up at ${origin}/console and copy a key from there.`;
}

function mistakeIn(header: string | undefined, deployment: DeploymentName): string {
  if (!header) return 'Send an API key as a bearer token: Authorization: Bearer <API_KEY>.';
  if (!withBearer.test(header)) return 'The word Bearer is missing: Authorization: Bearer <API_KEY>.';
  const text = header.slice('bearer'.length, LONGEST_LOOKED_AT).trim();
  if (text === '') return 'There is no key behind Bearer: is the variable with the key set?';
  const [unset] = variable.exec(text) ?? [];
  if (unset !== undefined)
    return `${unset} was sent as it is, not the key in it: a shell replaces it between double quotes, not single ones.`;
  if (placeholder.test(text)) return 'This is the placeholder of a key: put your own key in its place.';
  const home = deploymentNames.find((name) => text.startsWith(deployments[name].keyPrefix));
  if (home !== undefined && home !== deployment)
    return `This is a key of ${home}, and this is ${deployment}.`;
  return errorCodes.invalid_api_key[1];
}
