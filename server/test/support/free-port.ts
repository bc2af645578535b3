export { freePort } from '../../../checks/src/engine/free-port.ts';
