import { Type } from '@sinclair/typebox'

/** The kinds that are found without patterns of the operator. Where two overlap, the earlier one wins. */
export const personalKinds = ['email', 'iban', 'chinese_id', 'card', 'phone', 'ip'] as const
export type PersonalKind = (typeof personalKinds)[number]

/** All patterns of the operator are counted as one kind. */
export const countedKinds = [...personalKinds, 'custom'] as const
export type CountedKind = (typeof countedKinds)[number]

export interface MaskingFigures {
  /** `YYYY-MM-DD` in UTC, newest first; days on which nothing was found are left out. */
  days: { day: string; kinds: Partial<Record<CountedKind, number>> }[]
  /** Calls in which something was found, in the last 7 and 30 days. */
  calls: { week: number; month: number }
}

export const LONGEST_TRIAL = 20_000

export const trialBody = Type.Object(
  { text: Type.String({ maxLength: LONGEST_TRIAL, minLength: 1 }) },
  { additionalProperties: false },
)

export interface Trial {
  /** The text that an upstream would read. */
  text: string
  kinds: Partial<Record<CountedKind, number>>
}
