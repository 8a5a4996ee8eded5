import { taskRefusal } from '#core'

/** The action of a follow-up. INPAINT and CUSTOM_ZOOM only open a dialog; the modal that follows is charged. */
export const freeActions: ReadonlySet<string> = new Set(['INPAINT', 'CUSTOM_ZOOM'])

/** The name for price and channel. */
export function modelOf(action: string): string {
  return action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`
}

/** US dollars, as this family of gateways charges where no price is set. */
export function defaultPrice(model: string): number {
  return prices[model] ?? 0.1
}

const prices: Readonly<Record<string, number>> = {
  mj_describe: 0.05,
  mj_upscale: 0.05,
  swap_face: 0.05,
  mj_upload: 0.05,
  mj_inpaint: 0,
  mj_custom_zoom: 0,
}

const buttonActions: readonly { matches: (verb: string) => boolean; action: string }[] = [
  { matches: (verb) => verb.includes('upsample'), action: 'UPSCALE' },
  { matches: (verb) => verb === 'variation', action: 'VARIATION' },
  { matches: (verb) => verb === 'low_variation', action: 'LOW_VARIATION' },
  { matches: (verb) => verb === 'high_variation', action: 'HIGH_VARIATION' },
  { matches: (verb) => verb.includes('pan'), action: 'PAN' },
  { matches: (verb) => verb.includes('reroll'), action: 'REROLL' },
  { matches: (verb) => verb === 'Outpaint', action: 'ZOOM' },
  { matches: (verb) => verb === 'CustomZoom', action: 'CUSTOM_ZOOM' },
  { matches: (verb) => verb === 'Inpaint', action: 'INPAINT' },
]

/** The action behind a button, e.g. `MJ::JOB::upsample::2::<uuid>` or `MJ::Outpaint::50::1::<uuid>::SOLO`.
 *  @throws custom_id_is_required, unknown_action */
export function actionOfButton(customId: unknown): string {
  if (typeof customId !== 'string' || customId === '')
    throw taskRefusal('custom_id_is_required', 400)
  const [, second = '', third = ''] = customId.split('::')
  const verb = second === 'JOB' ? third : second
  const found = buttonActions.find(({ matches }) => matches(verb))
  if (found === undefined)
    throw taskRefusal('unknown_action', 400, `unknown_action:${customId.slice(0, 200)}`)
  return found.action
}

const changes: readonly { pattern: RegExp; action: string }[] = [
  { pattern: /^u[1-4]$/i, action: 'UPSCALE' },
  { pattern: /^v[1-4]$/i, action: 'VARIATION' },
  { pattern: /^r$/i, action: 'REROLL' },
]

/** `<task id> U1` … `V4`, or `<task id> R`, in any case; exactly two words.
 *  @throws content_parse_failed */
export function readSimpleChange(content: unknown): { taskId: string; action: string } {
  const words = typeof content === 'string' ? content.trim().split(/\s+/) : []
  const [taskId = '', change = ''] = words
  const found = changes.find(({ pattern }) => pattern.test(change))
  if (found === undefined || words.length !== 2) throw taskRefusal('content_parse_failed', 400)
  return { taskId, action: found.action }
}
