import {
  type FlagName,
  flags,
  keysFlags,
  listenFlags,
  seedFlags,
  serveFlags,
  transferFlags,
  variableOf,
} from '../../server/src/config.ts';

function flagLines(names: readonly FlagName[]): string {
  return names
    .map((name) => {
      const flag = flags[name];
      const left = `--${name}${'value' in flag ? ` ${flag.value}` : ''}`;
      return `  ${left.padEnd(20)} ${flag.help}\n  ${''.padEnd(20)} ${variableOf(name)}`;
    })
    .join('\n');
}

export const help = `petstore: an order service that does exactly what its document says

Usage
  petstore serve [flags]                        run the service (npm start)
  petstore keys create --deployment NAME        open a new store and print its key
  petstore keys list --deployment NAME          show the keys: id, last four characters, state
  petstore keys revoke KEY_ID --deployment NAME from the next request on, the key opens nothing
  petstore seed --orders N [--deployment NAME]  open a store with that many orders and print its key
  petstore export --deployment NAME > FILE      a whole deployment as lines of JSON, as it is at this moment
  petstore import --deployment NAME < FILE      carry an export into an empty database, whole or not at all
  petstore listen --key KEY --forward-to URL    post what happens in a store to a local address, signed as a webhook
  petstore check --deployment NAME              look through the whole database, also while the service runs
  petstore backup DIR|FILE --deployment NAME    a checked copy of the embedded database, while the service runs
  petstore restore FILE --deployment NAME       put such a copy in its place, while the service is stopped
  petstore check-client -- COMMAND…             run a client against a private store with each hard case in turn
  petstore --help | --version

serve runs production and staging in one process, prints where they are, and logs to standard output.
Each flag can also be set by the environment variable under it; the flag wins.

Flags of serve
${flagLines(serveFlags)}

Flags of keys
${flagLines(keysFlags)}

Flags of listen
${flagLines(listenFlags)}

Flags of export, import, check, backup and restore
${flagLines(transferFlags)}

Flags of seed (production unless --deployment says otherwise)
${flagLines(seedFlags)}

Examples
  npm start                                             both deployments, on ports 8080 and 8081
  npm start -- --port 9000 --data /var/lib/petstore     other ports, other folder
  npm run petstore -- keys create --deployment staging  one more store, with a key of its own

Exit codes: 0 done · 1 it could not be done · 2 the command line is wrong
`;
