import { relayErrors } from '../call/relay-errors.ts'

/** @throws relay.invalid_request */
export function checkModelName(model: string): void {
  if (model === '') throw relayErrors.invalid({ reason: 'model is required' }, { field: 'model' })
  if (model.length > 255 || model.includes('\0'))
    throw relayErrors.invalid({ reason: 'model is no name of a model' }, { field: 'model' })
}
