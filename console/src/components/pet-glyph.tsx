import { glyphs } from '../glyphs.ts';

/** The animal of a category on its plate; a paw for one we have not drawn. */
export function PetGlyph({ category, size = 36 }: { readonly category: string; readonly size?: number }) {
  const name = category.toLowerCase();
  const { hue, shapes } = (Object.hasOwn(glyphs, name) ? glyphs[name] : undefined) ?? glyphs.other;
  const inner = Math.round(size * 0.78);
  return (
    <svg viewBox="0 0 40 40" width={size} height={size} className={`glyph hue-${hue}`} aria-hidden="true">
      <rect width="40" height="40" rx="13" className="fill-sunken" />
      <svg x={(40 - (inner * 40) / size) / 2} y={(40 - (inner * 40) / size) / 2} width={(inner * 40) / size} height={(inner * 40) / size} viewBox="0 0 32 32">
        {shapes.map(({ tone, ...shape }) =>
          'd' in shape ? (
            <path key={shape.d} className={tone} d={shape.d} />
          ) : (
            <ellipse key={`${shape.cx} ${shape.cy} ${shape.rx}`} className={tone} {...shape} />
          ),
        )}
      </svg>
    </svg>
  );
}
