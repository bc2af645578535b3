import type { Plugin } from 'vite';
import { glyphs } from '../src/glyphs.ts';

/** Replaces `<!-- animal: dog -->` with an inline SVG, on pages without React. */
export function drawGlyphs(): Plugin {
  return {
    name: 'petstore:draw-glyphs',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace(/<!-- animal: (\w+) -->/g, (_, category: string) => draw(category)),
    },
  };
}

function draw(category: string): string {
  const { hue, shapes } = glyphs[category] ?? glyphs.other;
  const drawn = shapes.map(({ tone, ...shape }) =>
    'd' in shape
      ? `<path class="${tone}" d="${shape.d}"/>`
      : `<ellipse class="${tone}" cx="${shape.cx}" cy="${shape.cy}" rx="${shape.rx}" ry="${shape.ry}"/>`,
  );
  return `<svg class="glyph hue-${hue}" viewBox="0 0 32 32" aria-hidden="true">${drawn.join('')}</svg>`;
}
