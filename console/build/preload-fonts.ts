import type { Plugin } from 'vite';

/** Preloads the fonts for the first paint, to avoid layout shift. */
export function preloadFonts(): Plugin {
  return {
    name: 'petstore:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => name.endsWith('.woff2'))
          .map((name) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `/console/${name}`,
              crossorigin: true,
              // Text is readable without them, so everything else goes first.
              fetchpriority: 'low',
            },
            injectTo: 'head' as const,
          })),
    },
  };
}
