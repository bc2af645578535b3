import { isIP } from 'node:net';
import { type DeploymentName, deploymentNames, type PublicAddresses } from '../deployment.ts';
import { addressUsed, type Servers } from '../http/server/addresses.ts';
import type { Request } from '../http/server/request.ts';

/** Stand for every address of a machine; a client needs one that can be opened. */
const openable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function originOf(listening: string, port: number): string {
  const host = openable[listening] ?? listening;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Where a deployment and the other one are to a client; `ports` has those that this process listens on. */
export function serversOf(
  name: DeploymentName,
  given: PublicAddresses,
  ports: ReadonlyMap<DeploymentName, number>,
): Servers {
  const other = deploymentNames.find((one) => one !== name) as DeploymentName;
  return (request) => {
    const here = { name, origin: given[name] ?? addressUsed(request) };
    const there = given[other] ?? besideOf(request);
    return there === undefined ? [here] : [here, { name: other, origin: there }];
  };

  /** The other's port of the same host, where nothing stands between the client and this one's port. */
  function besideOf(request: Request): string | undefined {
    if (given[name] !== undefined) return undefined;
    const url = new URL(addressUsed(request));
    const port = ports.get(other);
    if (port === undefined || Number(url.port || 80) !== ports.get(name)) return undefined;
    url.port = String(port);
    return url.origin;
  }
}
