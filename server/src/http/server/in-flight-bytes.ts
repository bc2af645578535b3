const MEGABYTE = 1024 * 1024;

export const defaultInFlightLimits = { perOwner: 32 * MEGABYTE, overall: 128 * MEGABYTE };
export type InFlightLimits = typeof defaultInFlightLimits;

/** A tenant id, or the client address of a request without a key. */
type OwnerId = bigint | string;

interface Body {
  readonly bytes: number;
  readonly reservations: Set<{ readonly disconnect: () => void }>;
}

interface Owner {
  readonly id: OwnerId;
  bytes: number;
  /** A reservation was rejected, and none has been released since. */
  isFull: boolean;
  /** Keyed by buffer, oldest first: connections that share a buffer count it once. */
  readonly bodies: Map<object, Body>;
}

export type InFlightBytes = ReturnType<typeof createInFlightBytes>;

/**
 * Counts bytes in memory for slow clients: unread response bodies, and long request bodies that are still arriving. Bytes
 * beyond an owner's limit are rejected. At the overall limit, the owner with the most bytes loses the connections of its
 * oldest body; if the new bytes would make their own owner the largest, they are rejected instead.
 */
export function createInFlightBytes({ perOwner, overall }: InFlightLimits) {
  const owners = new Map<OwnerId, Owner>();
  const counts = { bytes: 0, rejected: 0, closed: 0 };

  function remove(owner: Owner, buffer: object, body: Body): void {
    if (owner.bodies.get(buffer) !== body) return;
    owner.bodies.delete(buffer);
    owner.bytes -= body.bytes;
    owner.isFull = false;
    counts.bytes -= body.bytes;
    if (owner.bodies.size === 0) owners.delete(owner.id);
  }

  function evictFor(owner: Owner, bytes: number): boolean {
    while (counts.bytes > 0 && counts.bytes + bytes > overall) {
      const largest = owners.values().reduce((a, b) => (b.bytes > a.bytes ? b : a));
      const [oldest] = largest.bodies;
      if (!oldest || largest.bytes <= owner.bytes + bytes) return false;
      remove(largest, ...oldest);
      for (const { disconnect } of oldest[1].reservations) {
        counts.closed++;
        disconnect();
      }
    }
    return true;
  }

  return {
    counts: counts as Readonly<typeof counts>,
    /** Asked before a long response is created: creating it for nothing would leave megabytes of garbage. */
    rejectsLongResponses(id: OwnerId): boolean {
      const isFull = owners.get(id)?.isFull ?? false;
      if (isFull) counts.rejected++;
      return isFull;
    },
    /** Undefined beyond a limit. A body may exceed its owner's limit if it is the only one. */
    reserve(id: OwnerId, buffer: object, bytes: number, disconnect: () => void): Disposable | undefined {
      const owner = owners.get(id) ?? { id, bytes: 0, isFull: false, bodies: new Map<object, Body>() };
      const body = owner.bodies.get(buffer) ?? { bytes, reservations: new Set() };
      if (body.reservations.size === 0) {
        const isBeyondOwnerLimit = owner.bytes > 0 && owner.bytes + bytes > perOwner;
        if (isBeyondOwnerLimit || !evictFor(owner, bytes)) {
          owner.isFull = true;
          counts.rejected++;
          return undefined;
        }
        owners.set(id, owner);
        owner.bodies.set(buffer, body);
        owner.bytes += bytes;
        counts.bytes += bytes;
      }
      const reservation = {
        disconnect,
        [Symbol.dispose]() {
          body.reservations.delete(reservation);
          if (body.reservations.size === 0) remove(owner, buffer, body);
        },
      };
      body.reservations.add(reservation);
      return reservation;
    },
  };
}
