import type { AdmittedCall } from '../call/relay-call.ts'
import type { AdmitDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { drawingModelsOf } from './tool-price-names.ts'

/** Whether this key may use the model that the call names for drawing. A model that no channel has is the provider's own
 *  matter, if it has a price.
 *  @throws relay.model_not_allowed, relay.no_available_channel, relay.invalid_request */
export function checkDrawing(
  { body, group, identity, pinnedChannel: pin }: AdmittedCall,
  deps: Pick<AdmitDeps, 'index'>,
): void {
  const drawing = drawingModelsOf(body)
  if (drawing.length > 1)
    throw relayErrors.invalid(
      { reason: 'all image_generation tools of a call must have the same model' },
      { field: 'tools' },
    )
  const [model] = drawing
  if (model?.field === undefined) return
  const { name, field } = model
  if (identity.models && !identity.models.has(name))
    throw relayErrors.modelRefused({ model: name.slice(0, 200) }, { field })
  const index = deps.index()
  if (pin === undefined && index.hasModel(name) && !index.serves(group, name))
    throw relayErrors.noChannel({ model: name, group }, { field })
}
