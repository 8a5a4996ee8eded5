import { relayErrors } from '../call/relay-errors.ts'

const LONGEST_NAME = 255

/** @throws relay.invalid_request */
export function checkModelName(model: unknown): asserts model is string {
  if (model === undefined || model === '') throw invalid('model is required')
  if (typeof model !== 'string') throw invalid('model must be a string')
  if (model.length > LONGEST_NAME) throw invalid(`model is longer than ${LONGEST_NAME} characters`)
  if (model.includes('\0')) throw invalid('model must not hold a NUL character')
}

function invalid(reason: string): Error {
  return relayErrors.invalid({ reason }, { field: 'model' })
}
