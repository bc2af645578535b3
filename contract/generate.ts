import { readFileSync, writeFileSync } from 'node:fs';
import { documents, writeYaml } from '../server/src/api/contract.ts';
import { buildEventsDocument } from '../server/src/api/events-document.ts';

/** Writes each document from the program; with --check, fails if the committed ones differ. */
const check = process.argv.includes('--check');
for (const [path, document] of Object.entries({ ...documents, '/events': buildEventsDocument() })) {
  const name = path.slice(1);
  const file = new URL(`./${name}.yaml`, import.meta.url);
  const yaml = await writeYaml(document);
  if (!check) writeFileSync(file, yaml);
  else if (readFileSync(file, 'utf8') !== yaml) {
    console.error(`contract/${name}.yaml differs from the program; run: npm run contract`);
    process.exitCode = 1;
  }
}
