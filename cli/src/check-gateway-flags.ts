import type { Flags } from './command-group.ts';

export const gatewayFlags: Flags = {
  through: { value: 'URL', help: 'Address of the gateway, without a path', variable: false },
  'origin-port': {
    value: 'N',
    help: 'Port on 127.0.0.1 for the private origin, which the gateway passes requests on to',
    variable: false,
  },
  slow: { help: 'Also run checks that take minutes', variable: false },
  timeout: {
    value: 'SECONDS',
    help: 'Timeout of the start and of each check; checks that take longer are not tried',
    variable: false,
  },
};

export const checkGatewayHelp = `
The origin stands in for the service: it records each request as bytes, and responds as the question needs, also in
ways the service never does. The gateway runs already, or is the command (-- COMMAND…), with these variables:
  PETSTORE_ORIGIN       URL of the origin, http://127.0.0.1:N
  PETSTORE_ORIGIN_PORT  its port
The command is stopped at the end. A question fails if what the gateway does harms a client or a store; what a gateway
may choose passes with a note. A run takes about 75 seconds, most of them waiting for the gateway to give up on an
origin that hangs.

Exit codes:
  0  every attempted question passed
  1  a question failed
  2  usage error, or the command could not be run
  3  no response of the origin arrived through the gateway
  4  internal error: no verdict
`;
