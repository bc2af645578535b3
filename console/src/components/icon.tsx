const paths = {
  overview: 'M3 11.500 12 4l9 7.500M6 10v10h12V10M10 20v-6h4v6',
  orders: 'M4 7.500 12 3l8 4.500v9L12 21l-8-4.500zM4 7.500l8 4.500 8-4.500M12 12v9',
  pets: 'M12 13c2.800 0 5.200 3.200 4.700 5.600-.5 2-2.900.900-4.700.900s-4.200 1.100-4.700-.9C6.800 16.200 9.200 13 12 13zM5.500 13.500a1.500 2 0 1 0 0-.01M18.500 13.500a1.500 2 0 1 0 0-.01M9 8.500a1.600 2.200 0 1 0 0-.01M15 8.500a1.600 2.200 0 1 0 0-.01',
  keys: 'M14.500 9.500a4.500 4.500 0 1 0-4 4.470L12 15.500h2V18h2.500v2.500H20V17l-5.700-5.700c.1-.6.2-1.200.2-1.800zM8.500 8.500h.01',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500c.8-3.600 3.800-5.500 7.500-5.500s6.700 1.900 7.500 5.500',
  sun: 'M12 16.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM12 2v2M12 20v2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M2 12h2M20 12h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.500 10 17.500 19.500 7',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  filter: 'M4 6h16M7 12h10M10 18h4',
  warning: 'M12 4 2.500 20h19zM12 10v4.500M12 17.200v.1',
  leave: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  offline: 'M3 3l18 18M8.500 16a5 5 0 0 1 6-.8M5.500 12.500a9.500 9.500 0 0 1 4.500-2.300M14 9.900a9.500 9.500 0 0 1 4.500 2.600M2.500 9a14 14 0 0 1 4.300-2.700M11 5a14 14 0 0 1 10.500 4M12 19.500v.1',
  external: 'M13 5h6v6M19 5l-8.500 8.500M17 14v5H5V7h5',
} as const;

export type IconName = keyof typeof paths;

/** Always beside words or inside something that has a name of its own. */
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
