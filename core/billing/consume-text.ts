import type { Usage } from '../contract/neutral.ts'
import type { PriceStep } from '../contract/prices.ts'
import type { PriceSnapshot } from '../contract/services.ts'
import { foldModelName } from './prices/price-map.ts'

/** `content` of a consumption row: the main ratios. The exact figures are in the receipt. */
export function consumeText(
  price: PriceSnapshot,
  facts: { model: string; usage: Usage; step?: PriceStep; details?: readonly string[] },
): string {
  const { usage } = facts
  const parts = [price.mode === 'price' ? fixedPrice(price) : ratios(price, usage)]
  if (facts.step) parts.push(stepText(facts.step))
  if (!isUsed(usage) && price.mode === 'ratio')
    parts.push('no usage, the upstream may have timed out')
  if (foldModelName(facts.model) !== facts.model) parts.push(`model ${facts.model}`)
  return [...parts, ...(facts.details ?? [])].join(', ')
}

/** Whether anything was used that may cost something. */
export function isUsed({ input, output, toolCalls, delegated }: Usage): boolean {
  return input + output > 0 || toolCalls !== undefined || delegated !== undefined
}

function fixedPrice(price: PriceSnapshot): string {
  return `model price $${price.modelPrice}, group ratio ${short(price.groupRatio)}`
}

/** Snapshots are frozen and shared by the calls of one model and group, so their text is made once. */
const textOf = new WeakMap<PriceSnapshot, string>()

function ratios(price: PriceSnapshot, usage: Usage): string {
  if (price.hasAudioRatio && usage.inputAudio + usage.outputAudio > 0) {
    const ofOutput = `audio completion ratio ${short(price.audioCompletionRatio)}`
    return ratioText(price, `audio ratio ${short(price.audioRatio)}, ${ofOutput}, `)
  }
  const known = textOf.get(price)
  if (known !== undefined) return known
  const made = ratioText(price, '')
  textOf.set(price, made)
  return made
}

function ratioText(price: PriceSnapshot, ofAudio: string): string {
  const { modelRatio, completionRatio, groupRatio } = price
  const ofText = `model ratio ${short(modelRatio)}, completion ratio ${short(completionRatio)}`
  return `${ofText}, ${ofAudio}group ratio ${short(groupRatio)}`
}

function stepText({ above, input, output }: PriceStep): string {
  return `prompt above ${above} tokens: input x ${short(input)}, output x ${short(output)}`
}

/** Two decimals, or more where rounding would show another ratio: 0.075 is not 0.07. */
function short(ratio: number): string {
  const two = ratio.toFixed(2)
  return Number(two) === ratio ? two : String(Number(ratio.toPrecision(6)))
}
