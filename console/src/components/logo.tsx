/** A collar tag: a plate with its ring, and a paw on it. */
export function Logo({ size = 30 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="flex-none">
      <circle cx="16" cy="5.500" r="3.700" fill="none" strokeWidth="2" className="stroke-accent" />
      <circle cx="16" cy="19" r="12" className="fill-accent" />
      <g className="fill-on-accent">
        <path d="M16 18.500c2.600 0 4.900 3 4.500 5.100-.4 1.900-2.800.9-4.500.9s-4.100 1-4.500-.9c-.4-2.100 1.900-5.100 4.500-5.100z" />
        <ellipse cx="10.400" cy="18" rx="1.500" ry="2" />
        <ellipse cx="21.600" cy="18" rx="1.500" ry="2" />
        <ellipse cx="13.700" cy="14.300" rx="1.600" ry="2.200" />
        <ellipse cx="18.300" cy="14.300" rx="1.600" ry="2.200" />
      </g>
    </svg>
  );
}
