// Tokens of pictures that models drew without telling how many these took.
import type { JsonObject } from '../../contract/json.ts'

/** Of a picture whose quality nobody told. */
export const DRAWN_IMAGE_TOKENS = 1400

/** Of a square picture; others take half as much again (OpenAI's image generation guide, "Cost and latency"). */
const byQuality: ReadonlyMap<unknown, number> = new Map([
  ['low', 272],
  ['medium', 1056],
  ['high', 4160],
])
/** What each preview takes besides (the same page). */
const PREVIEW_TOKENS = 100

/** Tokens of a picture as its preview describes it, and of its previews. */
export function previewedTokens({ quality, size }: JsonObject, previews: number): number {
  const square = byQuality.get(quality)
  const [width, height] = typeof size === 'string' ? size.split('x') : []
  const drawn = square === undefined ? DRAWN_IMAGE_TOKENS : square * (width === height ? 1 : 1.5)
  return drawn + previews * PREVIEW_TOKENS
}
