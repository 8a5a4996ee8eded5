import { createHash } from 'node:crypto'
import { isSameSecret } from '#core'

type Fields = Readonly<Record<string, string>>

const unsigned: ReadonlySet<string> = new Set(['sign', 'sign_type'])

/** The parameters sorted by name in byte order, without empty ones and without encoding, followed by the key. MD5 is
 *  what the protocol prescribes. */
export function signatureOf(fields: Fields, key: string): string {
  const text = Object.entries(fields)
    .filter(([name, value]) => value !== '' && !unsigned.has(name))
    .sort(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5')
    .update(text + key, 'utf8')
    .digest('hex')
}

export function signed(fields: Fields, key: string): Record<string, string> {
  return { ...fields, sign: signatureOf(fields, key), sign_type: 'MD5' }
}

/** Always false without a key: otherwise anybody could sign. */
export function isSigned(fields: Fields, key: string): boolean {
  if (key === '') return false
  return isSameSecret((fields['sign'] ?? '').toLowerCase(), signatureOf(fields, key))
}
