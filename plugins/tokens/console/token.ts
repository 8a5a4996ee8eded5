import type { Tone } from '#console'
import type { Token } from '../schema.ts'

export type { Token }

export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

const tones: Readonly<Record<number, { key: keyof typeof tokenStatus; tone: Tone }>> = {
  1: { key: 'enabled', tone: 'success' },
  2: { key: 'disabled', tone: 'off' },
  3: { key: 'expired', tone: 'warning' },
  4: { key: 'exhausted', tone: 'danger' },
}

/** A passed expiry shows at once, although the server notes it only at the next call. */
export function stateOf(token: Token, nowMs = Date.now()) {
  const isPast = token.expired_time !== -1 && token.expired_time * 1000 < nowMs
  const status = token.status === tokenStatus.enabled && isPast ? tokenStatus.expired : token.status
  return tones[status] ?? { key: 'disabled' as const, tone: 'off' as const }
}

export function fullKey(token: { key: string }): string {
  return `sk-${token.key}`
}

export function splitList(
  text: string | null | undefined,
  separator: string | RegExp = ',',
): string[] {
  return (text ?? '')
    .split(separator)
    .map((entry) => entry.trim())
    .filter(Boolean)
}
