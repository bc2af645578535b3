import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { drawGlyphs } from './build/draw-glyphs.ts';
import { importErrorWords } from './build/error-words.ts';
import { importGuideList } from './build/guide-list.ts';
import { preloadFonts } from './build/preload-fonts.ts';
import { showRecordings } from './build/recorded.ts';
import { makeReference } from './build/reference.ts';
import { themeScript } from './build/theme-script.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The service that the development server proxies to. */
const service = process.env.PETSTORE_ORIGIN ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: here('.'),
  base: '/console/',
  plugins: [
    react(),
    tailwind(),
    drawGlyphs(),
    showRecordings(),
    themeScript(),
    preloadFonts(),
    importErrorWords(),
    importGuideList(),
    makeReference(),
  ],
  // Scripts work below any base path. In pages, the service adds it.
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === 'js' ? { relative: true } : undefined),
  },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // No inlining as data: URLs, which the Content-Security-Policy does not allow.
    assetsInlineLimit: 0,
    license: { fileName: 'licences.txt' },
    rolldownOptions: {
      input: [here('index.html'), here('landing.html'), here('docs.html'), here('not-found.html')],
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/v2', '/healthz', '/docs', '/guides', '/console/api'].map((path) => [path, service]),
    ),
  },
});
