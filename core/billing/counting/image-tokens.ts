// Tokens of a picture in a prompt. Source of the rules: OpenAI's vision guide, "Calculating costs".
import type { ImageSize } from './image-size.ts'

interface TileRule {
  base: number
  tile: number
}

const tileRules: readonly (readonly [RegExp, TileRule])[] = [
  [/^gpt-4o-mini/, { base: 2833, tile: 5667 }],
  [/^(?:chatgpt-4o|gpt-4o|gpt-4\.1|gpt-4\.5)/, { base: 85, tile: 170 }],
  [/^o[13]/, { base: 75, tile: 150 }],
  [/^gpt-5/, { base: 70, tile: 140 }],
  [/^computer-use-preview/, { base: 65, tile: 129 }],
  [/^gpt-/, { base: 85, tile: 170 }],
]

/** Models that count patches of 32 pixels, each with the factor per patch. */
const patchRules: readonly (readonly [RegExp, number])[] = [
  [/^gpt-(?:4\.1|5)-mini/, 1.62],
  [/^gpt-(?:4\.1|5)-nano/, 2.46],
  [/^o4-mini/, 1.72],
]

const GLM_IMAGE = 1047
const CLAUDE_IMAGE = 1000
const OTHER_IMAGE = 520
const MAX_PATCHES = 1536

/** Tokens of a picture. `size` is undefined if the picture was not read; it is never downloaded for an estimate. */
export function imageTokens(model: string, size: ImageSize | undefined, detail?: string): number {
  if (model.startsWith('glm-4')) return GLM_IMAGE
  if (model.startsWith('claude')) return CLAUDE_IMAGE
  const patchFactor = patchRules.find(([pattern]) => pattern.test(model))?.[1]
  if (patchFactor !== undefined && size) return Math.ceil(patchesOf(size) * patchFactor)
  const rule = tileRules.find(([pattern]) => pattern.test(model))?.[1]
  if (!rule) return OTHER_IMAGE
  if (detail === 'low') return rule.base
  return size ? rule.base + tilesOf(size) * rule.tile : 3 * rule.base
}

/** The picture is fitted into 2048 × 2048, its short side is reduced to 768, and the result is covered with tiles of 512. */
function tilesOf({ width, height }: ImageSize): number {
  const fit = Math.min(1, 2048 / Math.max(width, height))
  const shrink = Math.min(1, 768 / (Math.min(width, height) * fit))
  const scale = fit * shrink
  return Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512)
}

function patchesOf({ width, height }: ImageSize): number {
  const whole = Math.ceil(width / 32) * Math.ceil(height / 32)
  if (whole <= MAX_PATCHES) return whole
  const scale = Math.sqrt((32 * 32 * MAX_PATCHES) / (width * height))
  const across = (width * scale) / 32
  const down = (height * scale) / 32
  // Reduced once more, so that at least one side is a whole number of patches.
  const trim = Math.min(Math.floor(across) / across, Math.floor(down) / down)
  return Math.min(MAX_PATCHES, Math.ceil(across * trim) * Math.ceil(down * trim))
}
