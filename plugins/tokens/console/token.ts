import { type Tone, tokenStatus } from '#console'
import type { Token } from '../schema.ts'

const tones: Readonly<Record<number, { key: keyof typeof tokenStatus; tone: Tone }>> = {
  [tokenStatus.enabled]: { key: 'enabled', tone: 'success' },
  [tokenStatus.disabled]: { key: 'disabled', tone: 'off' },
  [tokenStatus.expired]: { key: 'expired', tone: 'warning' },
  [tokenStatus.exhausted]: { key: 'exhausted', tone: 'danger' },
}

/** An expired token is shown as expired at once, although the server notes it only at the next call. */
export function stateOf(token: Token, nowMs = Date.now()) {
  const isPast = token.expired_time !== -1 && token.expired_time * 1000 < nowMs
  const status = token.status === tokenStatus.enabled && isPast ? tokenStatus.expired : token.status
  return tones[status] ?? { key: 'disabled' as const, tone: 'off' as const }
}

export function fullKey(token: { key: string }): string {
  return `sk-${token.key}`
}
