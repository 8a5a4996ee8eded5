import { formatExact, type Texts } from '#console'
import type { PriceStep } from './price-maps.ts'

/** A step while it is typed; NaN stands for invalid numbers. */
export type StepDraft = Partial<PriceStep>

/** In the order of the fields. */
export const stepParts = ['above', 'input', 'output', 'cacheRead'] as const
export type StepPart = (typeof stepParts)[number]

/** The most steps that the option accepts. */
export const mostSteps = 20
export const mostAbove = 1_000_000_000

/** The drafts of a valid form. */
export function stepsOf(drafts: readonly StepDraft[] = []): PriceStep[] {
  return drafts.map(({ above = 0, input = 0, output = 0, cacheRead }) => ({
    above,
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
  }))
}

export interface StepFault {
  /** Counted from 0. */
  index: number
  part: StepPart
  text: string
}

/** The first fault, by step and field; undefined if all steps can be saved. */
export function stepFault(drafts: readonly StepDraft[], t: Texts): StepFault | undefined {
  return drafts
    .flatMap((draft, index) => {
      const step = index + 1
      const parts = stepParts.map((part) => ({ part, text: partFault(draft, part, step, t) }))
      const order = { part: 'above' as const, text: orderFault(draft, drafts[index - 1], step, t) }
      return [...parts, order].map((fault) => ({ index, ...fault }))
    })
    .find((fault): fault is StepFault => fault.text !== undefined)
}

function partFault(draft: StepDraft, part: StepPart, step: number, t: Texts): string | undefined {
  const value = draft[part]
  const field = t(`steps.${part}`)
  if (value === undefined) {
    return part === 'cacheRead' ? undefined : t('fault.stepNeeded', { step, field })
  }
  return Number.isNaN(value) ? t('fault.stepNumber', { step, field }) : undefined
}

function orderFault(
  { above }: StepDraft,
  before: StepDraft | undefined,
  step: number,
  t: Texts,
): string | undefined {
  if (above === undefined || before?.above === undefined || above > before.above) return undefined
  const values = { step, field: t('steps.above'), above: formatExact(before.above) }
  return t('fault.stepOrder', values)
}
