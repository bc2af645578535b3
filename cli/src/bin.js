#!/usr/bin/env -S node --
import { fileURLToPath } from 'node:url';

const ofClone = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A signal to npm may end npm and its shell alone: whoever they have started sees that its parent has gone. */
function endWithNpm() {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.emit('SIGTERM', 'SIGTERM'), 200).unref();
}
const { npm_lifecycle_event: script, npm_package_json: manifest } = process.env;
// Programs that other scripts start have these variables, too, and may outlive whoever started them.
if (script === 'start' && manifest === ofClone('package.json')) endWithNpm();

// Says in one line what an older Node would say in many. Behind the dashes, Node does not take our --env-file for its own.
if (Number.parseInt(process.versions.node, 10) >= 26) await import('./main.js');
else {
  console.error(
    `petstore: this is Node ${process.versions.node}, and its sources need Node 26, which npm ci has put beside them: export PATH="${ofClone('node_modules/.bin')}:$PATH"`,
  );
  process.exitCode = 1;
}
