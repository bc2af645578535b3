import type { ServerAddress } from '../../deployment.ts';
import type { Request } from './request.ts';

/** This deployment comes first; the other follows if its address is known. */
export type Servers = (request: Request) => readonly [ServerAddress, ...ServerAddress[]];
