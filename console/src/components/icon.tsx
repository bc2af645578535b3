const paths = {
  overview: 'M3 11.5 12 4l9 7.5M6 10v10h12V10M10 20v-6h4v6',
  orders: 'M4 7.5 12 3l8 4.5v9L12 21l-8-4.5zM4 7.5l8 4.5 8-4.5M12 12v9',
  pets: 'M12 13c2.8 0 5.2 3.2 4.7 5.6-.5 2-2.9.9-4.7.9s-4.2 1.1-4.7-.9C6.8 16.2 9.2 13 12 13zM5.5 13.5a1.5 2 0 1 0 0-.01M18.5 13.5a1.5 2 0 1 0 0-.01M9 8.5a1.6 2.2 0 1 0 0-.01M15 8.5a1.6 2.2 0 1 0 0-.01',
  keys: 'M14.5 9.5a4.5 4.5 0 1 0-4 4.47L12 15.5h2V18h2.5v2.5H20V17l-5.7-5.7c.1-.6.2-1.2.2-1.8zM8.5 8.5h.01',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  sandbox: 'M3 13h18l-2 7H5zM9 13V6h6v7M7.5 6h9M12 6V3.5',
  webhooks:
    'M8.6 9.8a4 4 0 1 1 7.2-1.6M9 9.5 6 15.5M15.5 8l3 5.3a4 4 0 1 1-2.6 7.1M17.6 16.5H9.9M6.5 12.3a4 4 0 1 0 3.4 4.2M6 16.5h.01M12 7h.01M18 16.5h.01',
  requests: 'M3 12h4l2.5-7 5 14 2.5-7h4',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.5 10 17.5 19.5 7',
  plus: 'M12 5v14M5 12h14',
  more: 'M5.5 12a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0zM12.5 12a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0zM19.5 12a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0z',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  code: 'M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20',
  close: 'M6 6l12 12M18 6 6 18',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  filter: 'M4 6h16M7 12h10M10 18h4',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.2v.1',
  signOut: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  offline:
    'M3 3l18 18M8.5 16a5 5 0 0 1 6-.8M5.5 12.5a9.5 9.5 0 0 1 4.5-2.3M14 9.9a9.5 9.5 0 0 1 4.5 2.6M2.5 9a14 14 0 0 1 4.3-2.7M11 5a14 14 0 0 1 10.5 4M12 19.5v.1',
  guide: 'M12 6.5C10 5 7 4.5 4 5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5zM12 6.5v13',
  rows: 'M4 6h16M4 10.7h16M4 15.3h16M4 20h16',
  calendar: 'M4.5 6h15v14h-15zM4.5 10.5h15M8.5 3.5V8M15.5 3.5V8',
  keyboard: 'M3 6.5h18v11H3zM6.5 10h.01M10 10h.01M13.5 10h.01M17 10h.01M8 14h8',
  external: 'M13 5h6v6M19 5l-8.5 8.5M17 14v5H5V7h5',
} as const;

export type IconName = keyof typeof paths;

/** Decorative: always next to text or inside a labelled element. */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="flex-none"
    >
      <path d={paths[name]} />
    </svg>
  );
}
