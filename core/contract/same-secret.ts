import { timingSafeEqual } from 'node:crypto'

/** Whether what was sent is the secret or signature that is right, in a time that tells nothing of the right one but its length. */
export function isSameSecret(sent: string | Uint8Array, right: string | Uint8Array): boolean {
  const [left, wanted] = [bytesOf(sent), bytesOf(right)]
  return left.length === wanted.length && timingSafeEqual(left, wanted)
}

function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value) : value
}
