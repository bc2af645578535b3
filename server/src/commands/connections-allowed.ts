import { readFileSync } from 'node:fs';
import type { ServeConfig } from '../config/serve-config.ts';

/** More than this are not kept open unless somebody asks for them. */
const MOST = 10_000;

/** What one client address may have of all connections, where nobody says otherwise. */
const SHARE = 0.1;

/** How many connections a deployment takes in each of so many processes, and from one client address. */
export function connectionsOf(config: ServeConfig, workers: number) {
  const { deployments, maxConnections, maxConnectionsPerAddress: ofAddress } = config;
  const most =
    maxConnections === undefined
      ? connectionsAllowed(deployments.length)
      : Math.ceil(maxConnections / workers);
  const share = ofAddress === 'share' ? Math.ceil(SHARE * most) : ofAddress && Math.ceil(ofAddress / workers);
  return { most, mostOfAddress: share };
}

/** How many connections each deployment of this process may have: together three quarters of all open files. */
export function connectionsAllowed(deployments: number): number {
  return Math.max(1, Math.min(MOST, Math.floor((0.75 * openFiles()) / deployments)));
}

/** The limit on open files. Only Linux tells it in a file; elsewhere it is rarely less than this. */
function openFiles(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 4 * MOST);
  } catch {
    return 4 * MOST;
  }
}
