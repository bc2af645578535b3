import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const contract = fileURLToPath(new URL('../../contract/', import.meta.url));

/** Copies the Arazzo workflows and the overlays, which the service serves next to its OpenAPI document. */
export async function copyContract(dist: string): Promise<void> {
  const folder = join(dist, 'contract');
  await mkdir(folder, { recursive: true });
  const workflows = await readFile(join(contract, 'workflows.yaml'), 'utf8');
  await writeFile(join(folder, 'arazzo.yaml'), workflows.replace('url: v2.yaml', 'url: openapi.yaml'));
  await cp(join(contract, 'overlays'), join(folder, 'overlays'), { recursive: true });
}
