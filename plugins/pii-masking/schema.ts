import { type Static, Type } from '@sinclair/typebox'

/** What is found without the operator's own patterns, in the order in which one goes before another where they overlap. */
export const personalKinds = ['email', 'iban', 'chinese_id', 'card', 'phone', 'ip'] as const
export type PersonalKind = (typeof personalKinds)[number]

/** The operator's own patterns are counted together. */
export const countedKinds = [...personalKinds, 'custom'] as const
export type CountedKind = (typeof countedKinds)[number]

export interface MaskingFigures {
  /** `YYYY-MM-DD` in UTC, the last day first; those on which nothing was found are left out. */
  days: { day: string; kinds: Partial<Record<CountedKind, number>> }[]
  /** Calls in which something was found, of the last 7 and 30 days. */
  calls: { week: number; month: number }
}

export const LONGEST_TRIAL = 20_000

export const trialBody = Type.Object(
  { text: Type.String({ maxLength: LONGEST_TRIAL, minLength: 1 }) },
  { additionalProperties: false },
)
export type TrialBody = Static<typeof trialBody>

export interface Trial {
  /** What an upstream would read. */
  text: string
  kinds: Partial<Record<CountedKind, number>>
}
