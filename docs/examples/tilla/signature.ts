import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignatureRule {
  secret: string
  nowSeconds: number
  oldestSeconds: number
}

/** `t=<seconds>,v1=<hex>`: the HMAC-SHA-256 of `<seconds>.<body>`, over the bytes that came. */
export function isSigned(
  body: Buffer,
  signature: string,
  { secret, nowSeconds, oldestSeconds }: SignatureRule,
): boolean {
  const [, seconds = '', hex = ''] = /^t=(\d{1,12}),v1=([\da-f]{64})$/.exec(signature) ?? []
  if (hex === '' || Math.abs(nowSeconds - Number(seconds)) > oldestSeconds) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(hex, 'hex'))
}
