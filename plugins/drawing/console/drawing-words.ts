// The labels and colours of a drawing task's codes.
import type { Tone } from '#console'
import type { Drawing } from '../schema.ts'

export const actions: readonly string[] = [
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'DESCRIBE',
  'BLEND',
  'UPLOAD',
  'SHORTEN',
  'REROLL',
  'INPAINT',
  'ZOOM',
  'CUSTOM_ZOOM',
  'MODAL',
  'SWAP_FACE',
]

export const statusTones: Readonly<Record<string, Tone>> = {
  NOT_START: 'off',
  SUBMITTED: 'info',
  IN_PROGRESS: 'info',
  SUCCESS: 'success',
  FAILURE: 'danger',
  MODAL: 'warning',
}

/** Codes of the submission. Others are the upstream's own. */
export const codeTones: Readonly<Record<string, Tone>> = {
  0: 'danger',
  1: 'success',
  21: 'info',
  22: 'warning',
}

/** A drawing that took longer is marked as slow. */
export const slowMs = 60_000

/** Undefined while the task is running. */
export function durationOf({ submit_time: from, finish_time: to }: Drawing): number | undefined {
  return from > 0 && to >= from && to > 0 ? to - from : undefined
}

/** `42%` as a number; undefined for other texts. */
export function percentOf(progress: string): number | undefined {
  const value = Number(progress.trim().replace(/%$/, '') || Number.NaN)
  return Number.isFinite(value) ? value : undefined
}

/** Pictures of this site or by HTTP; other addresses are not shown. */
export function isShowable(address: string): boolean {
  return /^(?:https?:\/\/|\/(?!\/))/.test(address)
}
