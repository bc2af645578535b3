import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A browser that signed in to an account keeps a name of its own, sealed for that account. */
export function deviceMarks(secret: string) {
  const seal = (device: string, email: string) =>
    createHmac('sha256', secret).update(`device\n${device}\n${email}`).digest('base64url');
  return {
    read(mark: string | undefined, email: string): string | undefined {
      const [device = '', sealed = ''] = (mark ?? '').split('.');
      const [given, right] = [Buffer.from(sealed), Buffer.from(seal(device, email))];
      return given.length === right.length && timingSafeEqual(given, right) ? device : undefined;
    },
    make(email: string, device = randomBytes(16).toString('base64url')): string {
      return `${device}.${seal(device, email)}`;
    },
  };
}
