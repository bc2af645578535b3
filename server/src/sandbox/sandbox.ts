import type { DeploymentName } from '../deployment.ts';
import type { Quotas } from '../quotas.ts';
import { type FaultGuardOptions, faultGuards } from './fault-guards.ts';
import { storeFiller } from './fill-store.ts';
import { writerThroughResets } from './replace-store.ts';

interface SandboxOptions extends FaultGuardOptions {
  readonly deployment: DeploymentName;
  readonly quotas: Quotas;
}

export function openSandbox(options: SandboxOptions) {
  const { db, now } = options;
  const writer = writerThroughResets(db, options.writer);
  const services = { ...options, writer, filler: storeFiller(writer, now) };
  return { ...faultGuards(options), writer, services };
}

export type SandboxServices = ReturnType<typeof openSandbox>['services'];
