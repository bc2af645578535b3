/** How far one can build on what has it; what is stable has none. */
export function Stability({ of: stability }: { readonly of: 'beta' | 'experimental' }) {
  return (
    <span className={`status ${stability === 'beta' ? 'tone-shipped' : 'tone-pending'}`}>{stability}</span>
  );
}
