import { createContext, type RefObject } from 'react'
import type { Texts } from '../../texts/use-texts.ts'

export interface NumberLimits {
  min?: number | undefined
  max?: number | undefined
  /** Decimals; 0 for whole numbers. */
  precision?: number | undefined
  /** Nothing beyond can be counted exactly; named only to who goes there. */
  ceiling?: number | undefined
}

/** What a field of a form cannot take, in words: the input writes it, the form's field shows it. */
export const FieldFault = createContext<RefObject<string | undefined> | undefined>(undefined)

const digitsOnly = /^[+-]?(?:\d+\.?(\d*)|\.(\d+))$/

/** The number that was typed; undefined for a blank field, NaN for what is no number. Full-width digits are digits. */
function parsed(text: string): { number: number | undefined; decimals: number } {
  const plain = text.normalize('NFKC').replaceAll('。', '.').replaceAll('−', '-').trim()
  if (plain === '') return { number: undefined, decimals: 0 }
  const match = digitsOnly.exec(plain)
  if (!match) return { number: Number.NaN, decimals: 0 }
  return { number: Number(plain), decimals: (match[1] ?? match[2] ?? '').replace(/0+$/, '').length }
}

/** What a field makes of its text: NaN, and a sentence why, for what it cannot take. Nothing is rounded or brought into range. */
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

/** How a number is written, by one that the field would take. */
function exampleOf(min = -Infinity, max = Infinity): number {
  const fitting = [1200.5, 10.5, 0.5].find((number) => min <= number && number <= max)
  return fitting ?? (Number.isFinite(min) ? min : max)
}

/** As it is typed: no groups, no exponent. */
export function plainNumber(value: number | undefined | null, decimals = 20): string {
  if (value === undefined || value === null || Number.isNaN(value)) return ''
  return new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: decimals })
    .format(value)
    .replace(/^-0$/, '0')
}
