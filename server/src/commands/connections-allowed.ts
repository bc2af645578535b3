import { readFileSync } from 'node:fs';

/** More than this are not kept open unless somebody asks for them. */
const MOST = 10_000;

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
