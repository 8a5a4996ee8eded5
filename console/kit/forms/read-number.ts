import { createContext, type RefObject } from 'react'
import type { Texts } from '../../texts/use-texts.ts'

export interface NumberLimits {
  min?: number | undefined
  max?: number | undefined
  /** Decimals; 0 for whole numbers. */
  precision?: number | undefined
  /** Larger numbers are not exact. The bound is mentioned only in the fault of a number beyond it. */
  ceiling?: number | undefined
}

/** The sentence about invalid text: set by the input and shown by the Field. */
export const FieldFault = createContext<RefObject<string | undefined> | undefined>(undefined)

const digitsOnly = /^[+-]?(?:\d+\.?(\d*)|\.(\d+))$/

/** Reads a number. Undefined for blank text, NaN for invalid text. Full-width digits are accepted. */
function parsed(text: string): { number: number | undefined; decimals: number } {
  const plain = text.normalize('NFKC').replaceAll('。', '.').replaceAll('−', '-').trim()
  if (plain === '') return { number: undefined, decimals: 0 }
  const match = digitsOnly.exec(plain)
  if (!match) return { number: Number.NaN, decimals: 0 }
  return { number: Number(plain), decimals: (match[1] ?? match[2] ?? '').replace(/0+$/, '').length }
}

/** Reads the text of a field: the number, or NaN and a sentence that says why it is invalid. Nothing is rounded or
 *  clamped. */
export function readNumber(
  text: string,
  limits: NumberLimits,
  t: Texts,
): { value: number | undefined; fault: string | undefined } {
  const { number, decimals } = parsed(text)
  if (number === undefined) return { value: undefined, fault: undefined }
  const { precision, min, max, ceiling = Number.MAX_SAFE_INTEGER } = limits
  const isBelow = number < (min ?? -ceiling)
  const isAbove = number > (max ?? ceiling)
  const isTooFine = precision !== undefined && decimals > precision
  if (!Number.isNaN(number) && !isBelow && !isAbove && !isTooFine)
    return { value: number, fault: undefined }
  if (isTooFine && precision > 0)
    return { value: Number.NaN, fault: t('takes.decimals', { decimals: precision }) }
  const bounds = {
    precision,
    min: min ?? (isBelow ? -ceiling : undefined),
    max: max ?? (isAbove ? ceiling : undefined),
  }
  return { value: Number.NaN, fault: wordsOf(bounds, t) }
}

function wordsOf({ min, max, precision }: NumberLimits, t: Texts): string {
  const kind = precision === 0 ? 'whole' : 'number'
  const range =
    min === undefined ? (max === undefined ? '' : 'To') : max === undefined ? 'From' : 'Between'
  const example = exampleOf(min, max)
  const [least, most] = [plainNumber(min), plainNumber(max)]
  return t(`takes.${kind}${range}`, { min: least, max: most, example: plainNumber(example) })
}

/** An example of a number that the field accepts. */
function exampleOf(min = -Infinity, max = Infinity): number {
  const fitting = [1200.5, 10.5, 0.5].find((number) => min <= number && number <= max)
  return fitting ?? (Number.isFinite(min) ? min : max)
}

/** Formats a number as it is typed, without grouping or exponent. */
export function plainNumber(value: number | undefined | null, decimals = 20): string {
  if (value === undefined || value === null || Number.isNaN(value)) return ''
  return new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: decimals })
    .format(value)
    .replace(/^-0$/, '0')
}
