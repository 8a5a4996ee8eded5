import type { Tone } from '#console'
import { codeStatus, type Redemption } from '../schema.ts'

export type CodeState = 'unused' | 'disabled' | 'used' | 'expired'

const tones: Record<CodeState, Tone> = {
  unused: 'success',
  disabled: 'off',
  used: 'info',
  expired: 'warning',
}

/** Expired codes are shown as expired, although their stored status does not change. */
export function stateOf(
  { status, expired_time }: Pick<Redemption, 'status' | 'expired_time'>,
  nowMs = Date.now(),
): { key: CodeState; tone: Tone } {
  const key = keyOf(status, expired_time > 0 && expired_time * 1000 <= nowMs)
  return { key, tone: tones[key] }
}

function keyOf(status: number, isPast: boolean): CodeState {
  if (status === codeStatus.used) return 'used'
  if (isPast) return 'expired'
  return status === codeStatus.disabled ? 'disabled' : 'unused'
}

/** A disabled code must be enabled before it can be edited. */
export function isEditable({ status }: Pick<Redemption, 'status'>): boolean {
  return status === codeStatus.unused
}

/** A used code can be neither edited nor enabled or disabled. */
export function isOpen({ status }: Pick<Redemption, 'status'>): boolean {
  return status !== codeStatus.used
}
