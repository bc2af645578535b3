import { isIP } from 'node:net';
import { type DeploymentName, deploymentNames, type PublicAddresses } from '../deployment.ts';
import { addressUsed, type Servers } from '../http/server/addresses.ts';

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
    const used = addressUsed(request);
    const here = { name, origin: given[name] ?? used };
    const there = given[other] ?? (given[name] === undefined ? besideOf(new URL(used)) : undefined);
    return there === undefined ? [here] : [here, { name: other, origin: there }];
  };

  /** The other's port of the same host, where nothing stands between the client and this one's port. */
  function besideOf(url: URL): string | undefined {
    const port = ports.get(other);
    if (port === undefined || Number(url.port || 80) !== ports.get(name)) return undefined;
    url.port = String(port);
    return url.origin;
  }
}
