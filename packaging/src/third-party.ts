import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.ts';

const licenseFile = /^(licen[cs]e|copying|notice)(\b|\.)/i;

/** The third-party notice: the license of every package with a file in the bundle. */
export function thirdPartyNotice(modules: readonly string[], others: readonly Notice[]): string {
  const folders = new Set(
    modules.flatMap((path) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  const all = [...[...folders].sort().map(packageNotice), ...others];
  return [
    'Pet Store includes third-party software under the following licenses.\n',
    ...all.map(({ title, text }) => `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text.trim()}\n`),
  ].join('\n');
}

interface Notice {
  readonly title: string;
  readonly text: string;
}

function packageNotice(folder: string): Notice {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} does not declare a license`);
  const texts = readdirSync(folder)
    .filter((file) => licenseFile.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  // Some packages ship no license text: fall back to its name and the author.
  if (texts.length === 0) texts.push(`${license}${author ? `, by ${author.name ?? author}` : ''}`);
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

/** Notices of the console, collected by its build, and of its fonts. */
export function consoleNotices(): Notice[] {
  const fonts = join(root, 'console/src/fonts');
  return [
    {
      title: 'The packages in the console',
      text: readFileSync(join(root, 'console/dist/licences.txt'), 'utf8'),
    },
    ...readdirSync(fonts)
      .filter((file) => file.endsWith('.txt'))
      .map((file) => ({
        title: `The font ${file.replace('.LICENSE.txt', '')}`,
        text: readFileSync(join(fonts, file), 'utf8'),
      })),
  ];
}

/** The notice of Node, which the executable includes. */
export function nodeNotice(): Notice {
  const text = readFileSync(join(process.execPath, '../../LICENSE'), 'utf8');
  return { title: `Node.js ${process.version}`, text };
}
