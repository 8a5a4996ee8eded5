import { createHmac } from 'node:crypto'
import { isSameSecret } from '#core'

/** Older events are treated as replays. */
const TOLERANCE_SECONDS = 300

/** Whether Stripe has signed these bytes recently. Source: docs.stripe.com/webhooks, "Verify webhook signatures
 *  manually". */
export function isSigned(
  body: Buffer,
  { header, secret, nowMs = Date.now() }: { header: string; secret: string; nowMs?: number },
): boolean {
  if (secret === '') return false
  const parts = header.split(',').map((part) => part.trim().split('=', 2))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time)) return false
  if (Math.abs(nowMs / 1000 - Number(time)) > TOLERANCE_SECONDS) return false
  const wanted = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  return parts
    .filter(([name]) => name === 'v1')
    .some(([, signature = '']) => isSameSecret(Buffer.from(signature, 'hex'), wanted))
}
