import type { OpaqueState } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'

/** Gemini accepts only its own signatures, and so do its clients. */
export function signature(state: OpaqueState | undefined): JsonObject {
  return state?.owner === 'gemini' ? { thoughtSignature: state.data } : {}
}
