/** `body` and `shade` use the animal's hue, `ink` draws eyes and lines, `light` highlights. */
type Tone = 'body' | 'shade' | 'ink' | 'light' | 'beak';
type Shape = { tone: Tone; d: string } | { tone: Tone; cx: number; cy: number; rx: number; ry: number };

interface Glyph {
  /** The CSS class suffix of its colour. */
  readonly hue: string;
  readonly shapes: readonly Shape[];
}

const path = (tone: Tone, d: string): Shape => ({ tone, d });
const oval = (tone: Tone, cx: number, cy: number, rx: number, ry = rx): Shape => ({ tone, cx, cy, rx, ry });
const eyes = (y: number, apart: number): Shape[] => [
  oval('ink', 16 - apart, y, 1.35),
  oval('ink', 16 + apart, y, 1.35),
];

const bird = (hue: string, extra: Shape[]): Glyph => ({
  hue,
  shapes: [
    path('shade', 'M20 21 L29 28 L19 27 Z'),
    path('body', 'M7 11 A7 7 0 0 1 21 11 L24 20 A8 8 0 0 1 8.5 22 Z'),
    path('shade', 'M14 17 C20 15 23 19 23 24 C17 25 13 22 14 17 Z'),
    ...extra,
    oval('light', 12, 10.5, 2.6),
    oval('ink', 12, 10.5, 1.4),
  ],
});

/** Animal icons, drawn from simple shapes on a 32 by 32 grid. */
export const glyphs: Record<string, Glyph> & { other: Glyph } = {
  dog: {
    hue: 'dog',
    shapes: [
      path('body', 'M8 12 A8 8 0 0 1 24 12 V19 A8 8 0 0 1 8 19 Z'),
      path('shade', 'M9 7 C4 7 3 13 4.5 18 C8 19 10 15 10.5 9 Z'),
      path('shade', 'M23 7 C28 7 29 13 27.5 18 C24 19 22 15 21.5 9 Z'),
      oval('light', 16, 21, 5, 4.6),
      oval('ink', 16, 19.2, 2.2, 1.6),
      ...eyes(14.5, 3.8),
    ],
  },
  cat: {
    hue: 'cat',
    shapes: [
      path(
        'body',
        'M7.5 6 C9.5 6 11.5 8 13 9.5 H19 C20.5 8 22.5 6 24.5 6 C25.5 9 25.5 14 25.5 17.5 A9.5 9 0 0 1 6.5 17.5 C6.5 14 6.5 9 7.5 6 Z',
      ),
      path('shade', 'M8.5 8.5 L12 10.5 L8.8 13 Z M23.5 8.5 L20 10.5 L23.2 13 Z'),
      oval('light', 16, 21, 4.2, 3.2),
      path('ink', 'M14.6 18.6 H17.4 L16 20.3 Z'),
      ...eyes(15.5, 4.3),
    ],
  },
  fish: {
    hue: 'fish',
    shapes: [
      path('shade', 'M21 16 L29 9.5 V22.5 Z'),
      path('shade', 'M12 9 C14 5 18 5 20 7 L18 11 Z'),
      oval('body', 13.5, 16, 10.5, 7.5),
      path('light', 'M15 9 C18 12 18 20 15 23 L12.5 23.4 C15.5 20 15.5 12 12.5 8.6 Z'),
      oval('ink', 8, 14.5, 1.5),
    ],
  },
  parrot: bird('parrot', [path('beak', 'M7 9 C3 10 3 14 5.5 16 C6 13.5 7 13 8 13 Z')]),
  budgie: bird('budgie', [
    path('light', 'M7.4 9 A7 7 0 0 1 20.6 9 L18 10 C16 6.5 11 6.5 9 9.5 Z'),
    path('beak', 'M7 10.5 C5 11 5 13.5 6.5 14.5 C7 13 7.5 12.8 8 12.8 Z'),
  ]),
  rabbit: {
    hue: 'rabbit',
    shapes: [
      oval('body', 12, 8, 2.8, 6.5),
      oval('body', 20, 8, 2.8, 6.5),
      oval('shade', 12, 8.5, 1.2, 4.5),
      oval('shade', 20, 8.5, 1.2, 4.5),
      oval('body', 16, 20, 8.5, 8),
      oval('light', 16, 23.5, 4, 3),
      path('ink', 'M14.8 20.8 H17.2 L16 22.3 Z'),
      ...eyes(18, 4),
    ],
  },
  hamster: {
    hue: 'hamster',
    shapes: [
      oval('shade', 8.5, 9.5, 3.4),
      oval('shade', 23.5, 9.5, 3.4),
      oval('body', 16, 18, 11, 9.5),
      oval('light', 11, 21, 4.2, 4),
      oval('light', 21, 21, 4.2, 4),
      oval('ink', 16, 18.8, 1.5, 1.1),
      ...eyes(15, 4.4),
    ],
  },
  tortoise: {
    hue: 'tortoise',
    shapes: [
      path('shade', 'M7 22 H12 V25 A2 2 0 0 1 7 25 Z M18 22 H23 V25 A2 2 0 0 1 18 25 Z'),
      oval('shade', 26, 17.5, 3.8, 3.4),
      path('body', 'M4 22.5 A11 12 0 0 1 26 22.5 Z'),
      path('light', 'M11.5 14 L15 12 L18.5 14 V18 L15 20 L11.5 18 Z'),
      oval('ink', 27, 16.8, 1.1),
    ],
  },
  gecko: {
    hue: 'gecko',
    shapes: [
      path(
        'shade',
        'M5 10 L9 13 L7.8 15 L3.5 12.5 Z M27 14 L22.5 15.5 L22 13.4 L26 11.5 Z M8 23 L11 19.5 L13 20.8 L10 25 Z M24 22 L20.5 19.5 L19.5 21.5 L22.5 24.5 Z',
      ),
      path(
        'body',
        'M14 5 C18 3 22 6 20.5 10 C24 13 23 19 19 21 C18 25 21 26 22 28 C17 30 13 27 14 22 C10 20 9 14 12 11 C11 8.5 12 6 14 5 Z',
      ),
      oval('light', 16.3, 15.5, 1.6),
      oval('light', 17, 19, 1.1),
      oval('ink', 14.4, 8, 1.2),
      oval('ink', 18.8, 7.6, 1.2),
    ],
  },
  other: {
    hue: 'other',
    shapes: [
      path(
        'body',
        'M16 15 C20 15 24 20 23 24 C22 27.5 18.5 25.5 16 25.5 C13.5 25.5 10 27.5 9 24 C8 20 12 15 16 15 Z',
      ),
      oval('body', 8, 14, 2.5, 3.2),
      oval('body', 24, 14, 2.5, 3.2),
      oval('body', 12.8, 8.8, 2.6, 3.5),
      oval('body', 19.2, 8.8, 2.6, 3.5),
    ],
  },
};
