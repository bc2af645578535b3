#!/usr/bin/env -S node --
import { fileURLToPath } from 'node:url';

// Says in one line what an older Node would say in many. Behind the dashes, Node does not take our --env-file for its own.
if (Number.parseInt(process.versions.node, 10) >= 26) await import('./main.js');
else {
  const beside = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));
  console.error(
    `petstore: this is Node ${process.versions.node}, and its sources need Node 26, which npm ci has put beside them: export PATH="${beside}:$PATH"`,
  );
  process.exitCode = 1;
}
