import { readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildPackages } from './build-packages.ts';
import { root } from './bundle.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
console.log(`Pet Store ${version} for ${process.platform}-${process.arch}`);

const target = join(root, 'dist');
rmSync(target, { recursive: true, force: true });
for (const path of Object.values(await buildPackages(target)))
  console.log(`${relative(root, path).padEnd(36)}${(statSync(path).size / 1e6).toFixed(2).padStart(7)} MB`);
