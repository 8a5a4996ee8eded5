import type { AdmittedCall } from '../call/relay-call.ts'
import type { AdmitDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { type BesideModel, drawingModelsOf, svgAuthorsOf } from './drawing-models.ts'

/** Whether this key may use the models that the call names for drawing. A model that no channel has is the provider's own
 *  matter, if it has a price.
 *  @throws relay.model_not_allowed, relay.no_available_channel, relay.invalid_request */
export function checkDrawing(call: AdmittedCall, deps: Pick<AdmitDeps, 'index'>): void {
  for (const models of [drawingModelsOf(call.body), svgAuthorsOf(call)]) {
    if (models.length > 1)
      throw relayErrors.invalid(
        { reason: 'all image_generation tools of a call must have the same models' },
        { field: 'tools' },
      )
    if (models[0]) checkBeside(models[0], call, deps)
  }
}

/** Whether this key may use a model that works for a call beside its own.
 *  @throws relay.model_not_allowed, relay.no_available_channel */
export function checkBeside(
  { name, field }: BesideModel,
  { group, identity, pinnedChannel: pin }: AdmittedCall,
  deps: Pick<AdmitDeps, 'index'>,
): void {
  if (field === undefined) return
  if (identity.models && !identity.models.has(name))
    throw relayErrors.modelRefused({ model: name.slice(0, 200) }, { field })
  const index = deps.index()
  if (pin === undefined && index.hasModel(name) && !index.serves(group, name))
    throw relayErrors.noChannel({ model: name, group }, { field })
}
