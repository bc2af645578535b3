#!/usr/bin/env -S node --
// Says in one line what an older Node would say in many. Behind the dashes, Node does not take our --env-file for its own.
if (Number.parseInt(process.versions.node, 10) >= 26) await import('./main.js');
else {
  console.error(
    `petstore: its sources need Node 26, which npm has put beside this file, and this is ${process.versions.node}: run npx petstore`,
  );
  process.exitCode = 1;
}
