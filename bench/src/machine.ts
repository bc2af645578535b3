import { cpus, release, totalmem, type } from 'node:os';

export function describeMachine() {
  return {
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
    system: `${type()} ${release()}`,
    node: process.version,
    sqlite: process.versions.sqlite,
  };
}
