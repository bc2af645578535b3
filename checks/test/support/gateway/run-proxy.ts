import { openProxy } from './proxy.ts';

// A gateway as a program, which listens on the port in its argument.
const { PETSTORE_ORIGIN_PORT, PETSTORE_ORIGIN } = process.env;
if (PETSTORE_ORIGIN !== `http://127.0.0.1:${PETSTORE_ORIGIN_PORT}`) throw new Error('no PETSTORE_ORIGIN');
await openProxy(Number(PETSTORE_ORIGIN_PORT), {}, Number(process.argv[2]));
