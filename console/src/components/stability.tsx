/** Stability badge; stable operations have none. */
export function Stability({ of: stability }: { readonly of: 'beta' | 'experimental' }) {
  return (
    <span className={`status ${stability === 'beta' ? 'tone-shipped' : 'tone-pending'}`}>{stability}</span>
  );
}
