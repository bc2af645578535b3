import { readFileSync } from 'node:fs';
import type { ServeConfig } from '../config/serve-config.ts';

const MOST = 10_000;

const SHARE = 0.1;

export function connectionsOf(config: ServeConfig, workers: number) {
  const { deployments, maxConnections, maxConnectionsPerAddress: ofAddress } = config;
  const most =
    maxConnections === undefined
      ? connectionsAllowed(deployments.length)
      : Math.ceil(maxConnections / workers);
  const share = ofAddress === 'share' ? Math.ceil(SHARE * most) : ofAddress && Math.ceil(ofAddress / workers);
  return { most, mostOfAddress: share };
}

/** All deployments of a process together take three quarters of the open files. */
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
