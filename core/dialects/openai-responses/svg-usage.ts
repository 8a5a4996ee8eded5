import { asText, isObject } from '../../contract/json.ts'
import type { SvgUsage } from '../../contract/neutral.ts'
import { tokens } from '../neutral/usage.ts'

/** What the author of an SVG used, which `usage` leaves out (API reference: `svg_usage` of the Images API and of `image_generation_call`).
 *  @param before of earlier pictures of the answer: they have the same author */
export function readSvgUsage(value: unknown, before?: SvgUsage): SvgUsage | undefined {
  if (!isObject(value)) return before
  return {
    model: asText(value.model),
    input: tokens(value.input_tokens) + (before?.input ?? 0),
    output: tokens(value.output_tokens) + (before?.output ?? 0),
  }
}
