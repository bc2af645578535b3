#!/usr/bin/env -S node --disable-warning=ExperimentalWarning --
// Says in one line what an older Node would say in many. Those that can run it say at every start, unless they are told
// not to, that their SQLite is an experiment. Behind the dashes, Node does not take our --env-file for its own.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) await import('./main.js');
else {
  console.error(`petstore: needs Node 22.19 or newer, and this is ${process.versions.node}`);
  process.exitCode = 1;
}
