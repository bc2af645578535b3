import type { ServerAddress } from '../../deployment.ts';
import type { Request } from './request.ts';

/** The deployments whose addresses whoever asks can be told: this one's first, and the other's if it is known. */
export type Servers = (request: Request) => readonly [ServerAddress, ...ServerAddress[]];
