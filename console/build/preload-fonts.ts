import type { Plugin } from 'vite';

/** Asks for the fonts with the page itself: they are there for the first paint, and nothing moves later. */
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
              // Text is readable without them: they let everything else pass.
              fetchpriority: 'low',
            },
            injectTo: 'head' as const,
          })),
    },
  };
}
