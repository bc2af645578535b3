import type { DeploymentName } from '../deployment.ts';
import type { Quotas } from '../quotas.ts';
import type { Writer } from '../writer/writer.ts';
import type { ContentsServices } from './contents.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { type FaultGuardOptions, faultGuards } from './fault-guards.ts';
import { faultySender } from './faulty-sender.ts';
import { storeFiller } from './fill-store.ts';
import { writerThroughResets } from './replace-store.ts';

export interface SandboxServices extends ContentsServices {
  readonly writer: Writer;
  readonly deployment: DeploymentName;
  readonly documented: DocumentedErrors;
}

export function openSandbox(
  options: FaultGuardOptions & { readonly deployment: DeploymentName; readonly quotas: Quotas },
) {
  const { db, now: clock } = options;
  const writer = writerThroughResets(db, options.writer);
  const services: SandboxServices = { ...options, writer, clock, filler: storeFiller(writer, clock) };
  return { ...faultGuards(options), writer, services, sender: faultySender };
}
