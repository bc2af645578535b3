const MEGABYTE = 1024 * 1024;

export const defaultInFlightLimits = { ofOwner: 32 * MEGABYTE, overall: 128 * MEGABYTE };
export type InFlightLimits = typeof defaultInFlightLimits;

/** A tenant, or the client's address where there is no key. */
type OwnerId = bigint | string;

interface Body {
  readonly bytes: number;
  readonly holds: Set<{ readonly disconnect: () => void }>;
}

interface Owner {
  readonly id: OwnerId;
  bytes: number;
  /** By what holds the bytes: connections that share one buffer count it once. The oldest comes first. */
  readonly bodies: Map<object, Body>;
}

export type InFlightBytes = ReturnType<typeof openInFlightBytes>;

/**
 * Counts what is in memory for clients that take their time, whatever produced it: bodies of responses that they have not
 * read, and long request bodies that are still arriving. An owner beyond its limit gets no more. Beyond the overall limit,
 * the owner that holds most loses its oldest connection, unless it is the one that asks for more.
 */
export function openInFlightBytes({ ofOwner, overall }: InFlightLimits) {
  const owners = new Map<OwnerId, Owner>();
  const counts = { bytes: 0, rejected: 0, closed: 0 };

  function remove(owner: Owner, what: object, body: Body): void {
    if (owner.bodies.get(what) !== body) return;
    owner.bodies.delete(what);
    owner.bytes -= body.bytes;
    counts.bytes -= body.bytes;
    if (owner.bodies.size === 0) owners.delete(owner.id);
  }

  function makeRoom(own: Owner, more: number): boolean {
    while (counts.bytes > 0 && counts.bytes + more > overall) {
      const largest = owners.values().reduce((a, b) => (b.bytes > a.bytes ? b : a));
      const [oldest] = largest.bodies;
      if (!oldest || largest.bytes <= own.bytes + more) return false;
      remove(largest, ...oldest);
      for (const { disconnect } of oldest[1].holds) {
        counts.closed++;
        disconnect();
      }
    }
    return true;
  }

  return {
    counts: counts as Readonly<typeof counts>,
    /** Undefined beyond a limit. One body always fits for an owner that holds nothing else, however long it is. */
    hold(id: OwnerId, what: object, bytes: number, disconnect: () => void): Disposable | undefined {
      const owner = owners.get(id) ?? { id, bytes: 0, bodies: new Map<object, Body>() };
      const body = owner.bodies.get(what) ?? { bytes, holds: new Set() };
      if (body.holds.size === 0) {
        const isBeyond = owner.bytes > 0 && owner.bytes + bytes > ofOwner;
        if (isBeyond || !makeRoom(owner, bytes)) {
          counts.rejected++;
          return undefined;
        }
        owners.set(id, owner);
        owner.bodies.set(what, body);
        owner.bytes += bytes;
        counts.bytes += bytes;
      }
      const hold = {
        disconnect,
        [Symbol.dispose]() {
          body.holds.delete(hold);
          if (body.holds.size === 0) remove(owner, what, body);
        },
      };
      body.holds.add(hold);
      return hold;
    },
  };
}
