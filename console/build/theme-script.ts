import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HtmlTagDescriptor, Plugin } from 'vite';

const source = fileURLToPath(new URL('../src/theme/before-paint.js', import.meta.url));

/**
 * Adds a classic script that applies the stored theme before the first paint; a module would run too late.
 */
export function themeScript(): Plugin {
  let reference: string | undefined;
  return {
    name: 'petstore:theme-script',
    buildStart() {
      if (this.environment.config.command !== 'build') return;
      const text = readFileSync(source, 'utf8').replace(/^\s*\/\/.*$/gm, '');
      reference = this.emitFile({ type: 'asset', name: 'before-paint.js', source: text });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const emitted =
          bundle && Object.keys(bundle).find((name) => /assets\/before-paint-.*\.js$/.test(name));
        const src = emitted ? `/console/${emitted}` : '/console/src/theme/before-paint.js';
        if (bundle && reference === undefined) throw new Error('the theme script was not emitted');
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' } satisfies HtmlTagDescriptor];
      },
    },
  };
}
