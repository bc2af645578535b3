#!/usr/bin/env -S node --max-semi-space-size=64
import '../../server/src/set-up-node.js';

const { main } = await import('./main.ts');
await main(process.argv.slice(2), process.env);
