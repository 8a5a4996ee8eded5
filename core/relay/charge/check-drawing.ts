import type { AppError } from '../../contract/errors.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { AdmitDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import {
  type BesideModel,
  drawingModelsOf,
  svgAuthorsOf,
  toolsBesideDrawing,
} from './drawing-models.ts'

/** Whether this key may use the models that draw for the call, also the usual one where none is named. Agents offer to draw beside their
 *  own tools whatever they are asked: where a call can do without, such an offer of theirs is left out. A model that no channel has is the
 *  provider's own matter; if the call names it, it must have a price.
 *  @throws relay.model_not_allowed, relay.no_available_channel, relay.invalid_request */
export function checkDrawing(call: AdmittedCall, deps: Pick<AdmitDeps, 'index'>): void {
  const drawing = onlyOne(drawingModelsOf(call.body))
  const author = onlyOne(svgAuthorsOf(call))
  for (const model of [drawing, author]) {
    const refusal = model && refusalOf(model, call, deps)
    if (!refusal) continue
    if (model.field !== undefined || !leaveOutDrawing(call)) throw refusal
  }
}

function onlyOne(models: readonly BesideModel[]): BesideModel | undefined {
  if (models.length < 2) return models[0]
  const reason = 'all image_generation tools of a call must have the same models'
  throw relayErrors.invalid({ reason }, { field: 'tools' })
}

/** @returns whether the call can do without the tool that draws: it has others, and need not use this one */
function leaveOutDrawing(call: AdmittedCall): boolean {
  const choice = call.body?.['tool_choice']
  const others = toolsBesideDrawing(call.body)
  if (others.length === 0 || !(choice === undefined || choice === 'auto' || choice === 'none'))
    return false
  call.body = { ...call.body, tools: others }
  call.bytes = Buffer.from(JSON.stringify(call.body))
  call.neutral = undefined
  call.dropped.add('tools.image_generation')
  return true
}

/** Whether this key may use a model that works for a call beside its own.
 *  @throws relay.model_not_allowed, relay.no_available_channel */
export function checkBeside(
  model: BesideModel,
  call: AdmittedCall,
  deps: Pick<AdmitDeps, 'index'>,
): void {
  const refusal = refusalOf(model, call, deps)
  if (refusal) throw refusal
}

function refusalOf(
  { name, field = 'tools' }: BesideModel,
  { group, identity, pinnedChannel: pin }: AdmittedCall,
  deps: Pick<AdmitDeps, 'index'>,
): AppError | undefined {
  if (identity.models && !identity.models.has(name))
    return relayErrors.modelRefused({ model: name.slice(0, 200) }, { field })
  const index = deps.index()
  if (pin === undefined && index.hasModel(name) && !index.serves(group, name))
    return relayErrors.noChannel({ model: name, group }, { field })
  return undefined
}
