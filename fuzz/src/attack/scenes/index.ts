import type { Scene } from '../scene.ts';
import { connections } from './connections.ts';
import { identity } from './identity.ts';
import { pages } from './pages.ts';
import { reading } from './reading.ts';
import { sandbox } from './sandbox.ts';
import { retention } from './stored.ts';
import { unread } from './unread.ts';
import { webhooks } from './webhooks.ts';
import { writing } from './writing.ts';

export const scenes: readonly Scene[] = [
  ...connections,
  ...reading,
  ...unread,
  ...writing,
  ...identity,
  ...pages,
  ...sandbox,
  ...webhooks,
  ...retention,
];
