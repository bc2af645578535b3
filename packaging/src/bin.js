#!/usr/bin/env -S node --disable-warning=ExperimentalWarning --
// One clear line instead of an older Node's stack trace. The flag hides the warning that node:sqlite is experimental. After
// `--`, Node does not parse our --env-file as its own flag.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) await import('./main.js');
else {
  console.error(`petstore: requires Node 22.19 or newer, found ${process.versions.node}`);
  process.exitCode = 1;
}
