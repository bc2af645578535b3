import { glyphs } from '../glyphs.ts';

/** The icon of a category; a paw for unknown ones. */
export function PetGlyph({ category, size = 36 }: { readonly category: string; readonly size?: number }) {
  const name = category.toLowerCase();
  const { hue, shapes } = (Object.hasOwn(glyphs, name) ? glyphs[name] : undefined) ?? glyphs.other;
  return (
    <svg viewBox="0 0 40 40" width={size} height={size} className={`glyph hue-${hue}`} aria-hidden="true">
      <rect width="40" height="40" rx="13" className="plate" />
      <g transform="translate(4 4)">
        {shapes.map(({ tone, ...shape }) =>
          'd' in shape ? (
            <path key={shape.d} className={tone} d={shape.d} />
          ) : (
            <ellipse key={`${shape.cx} ${shape.cy} ${shape.rx}`} className={tone} {...shape} />
          ),
        )}
      </g>
    </svg>
  );
}
