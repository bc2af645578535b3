import type { Flags } from './command-group.ts';

export const gatewayFlags: Flags = {
  through: { value: 'URL', help: 'Address of the gateway, without a path (required)', variable: false },
  'origin-port': {
    value: 'N',
    help: 'Port on 127.0.0.1 for the private origin that the gateway forwards to (required)',
    variable: false,
  },
  slow: { help: 'Also run checks that take minutes', variable: false },
  timeout: {
    value: 'SECONDS',
    help: 'Timeout for startup (default 60) and for each check (default 150); checks that need longer are skipped',
    variable: false,
  },
};

export const checkGatewayHelp = `
The origin stands in for the service: it records each request byte by byte, and responds as each check requires, even
in ways the service never would. The gateway is already running, or is started by the command (-- COMMAND…), which
receives these variables:
  PETSTORE_ORIGIN       URL of the origin, http://127.0.0.1:N
  PETSTORE_ORIGIN_PORT  its port
The command is stopped at the end. A check fails if the gateway's behavior harms a client or a store; legitimate choices
pass with a note. A run takes about 75 seconds, most of it waiting for the gateway to give up on an origin that hangs.

Exit codes:
  0  every attempted check passed
  1  a check failed
  2  usage error, or the command could not be run
  3  no response from the origin arrived through the gateway
  4  internal error: no verdict
`;
