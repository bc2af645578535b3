/** A collar tag with a paw. */
export function Logo({ size = 30 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="flex-none">
      <circle cx="16" cy="5.5" r="3.7" fill="none" strokeWidth="2" className="stroke-accent" />
      <circle cx="16" cy="19" r="12" className="fill-accent" />
      <g className="fill-on-accent">
        <path d="M16 18.5c2.6 0 4.9 3 4.5 5.1-.4 1.9-2.8.9-4.5.9s-4.1 1-4.5-.9c-.4-2.1 1.9-5.1 4.5-5.1z" />
        <ellipse cx="10.4" cy="18" rx="1.5" ry="2" />
        <ellipse cx="21.6" cy="18" rx="1.5" ry="2" />
        <ellipse cx="13.7" cy="14.3" rx="1.6" ry="2.2" />
        <ellipse cx="18.3" cy="14.3" rx="1.6" ry="2.2" />
      </g>
    </svg>
  );
}
