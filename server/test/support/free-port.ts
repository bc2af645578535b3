export { freePort } from '../../../cli/src/free-port.ts';
