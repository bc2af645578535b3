import { type DeploymentName, deploymentNames, type PublicAddresses } from '../deployment.ts';
import { addressUsed } from '../http/server/address-used.ts';
import type { Request } from '../http/server/request.ts';
import type { Servers } from '../http/server/servers.ts';

/** What a deployment tells of where it and the other one are; `portOf` has the ports that this process listens on. */
export function serversOf(
  name: DeploymentName,
  given: PublicAddresses,
  portOf: (name: DeploymentName) => number | undefined,
): Servers {
  const other = deploymentNames.find((one) => one !== name) as DeploymentName;
  return (request) => {
    const here = { name, origin: given[name] ?? addressUsed(request) };
    const there = given[other] ?? besideOf(request);
    return there === undefined ? [here] : [here, { name: other, origin: there }];
  };

  /** On the same host at its own port: that is so only where nothing stands between the client and this one's port. */
  function besideOf(request: Request): string | undefined {
    if (given[name] !== undefined) return undefined;
    const url = new URL(addressUsed(request));
    const port = portOf(other);
    if (port === undefined || Number(url.port || 80) !== portOf(name)) return undefined;
    url.port = String(port);
    return url.origin;
  }
}
