import { isIP } from 'node:net';
import { type DeploymentName, deploymentNames, type PublicAddresses } from '../domain/deployment.ts';
import { requestedOrigin, type Servers } from '../http/server/addresses.ts';

/** Wildcard addresses, and the loopback address that a client can connect to instead. */
const reachableHosts: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function originOf(listening: string, port: number): string {
  const host = reachableHosts[listening] ?? listening;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** URLs of both deployments as seen by a client; `ports` maps the deployments of this process to their ports. */
export function serversOf(
  name: DeploymentName,
  given: PublicAddresses,
  ports: ReadonlyMap<DeploymentName, number>,
): Servers {
  const other = deploymentNames.find((candidate) => candidate !== name) as DeploymentName;
  return (request) => {
    const used = requestedOrigin(request);
    const ownAddress = { name, origin: given[name] ?? used };
    const otherAddress = given[other] ?? (given[name] === undefined ? otherOrigin(new URL(used)) : undefined);
    return otherAddress === undefined ? [ownAddress] : [ownAddress, { name: other, origin: otherAddress }];
  };

  /** The same host with the other deployment's port, if the client connects without a proxy in between. */
  function otherOrigin(url: URL): string | undefined {
    const port = ports.get(other);
    if (port === undefined || Number(url.port || 80) !== ports.get(name)) return undefined;
    url.port = String(port);
    return url.origin;
  }
}
