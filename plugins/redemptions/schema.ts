import { type Static, Type } from '@sinclair/typebox'

export const codeStatus = { unused: 1, disabled: 2, used: 3 } as const

/** One code as `/api/redemption/` sends it to admins. */
export interface Redemption {
  id: number
  /** Who made it. */
  user_id: number
  name: string
  key: string
  status: number
  /** Units. */
  quota: number
  created_time: number
  /** Unix seconds; 0: never. */
  expired_time: number
  /** Unix seconds; 0: not yet. */
  redeemed_time: number
  /** 0: nobody. */
  used_user_id: number
  /** Always 0; older consoles expect it. */
  count: number
  /** Always null, because deleted codes are not listed; older consoles and scripts expect the field. */
  DeletedAt: null
}

export const LONGEST_NAME = 20
export const MOST_CODES = 100
/** Far above any real amount, and far below the limit of exact integers. */
export const MOST_UNITS = 1_000_000_000_000_000

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const nothing = Type.Null()
const time = Type.Optional(
  Type.Union([Type.Integer({ minimum: -1, maximum: 253_402_300_799 }), nothing], {
    description: 'Unix seconds; 0 and -1: never.',
  }),
)
const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))
/** A whole number, also as text, as older consoles send it. The range is checked later, where the error has its own message. */
const whole = (description: string) =>
  Type.Union([Type.Integer(), Type.String({ pattern: '^-?\\d{1,15}$' })], { description })
const UNITS = 'Quota units, for each code.'

export const codeInPath = Type.Object({ id })

export const listQuery = Type.Object({
  p: text(32, 'Page, from 1.'),
  page_size: text(32, 'At most 100; 10 if it is missing.'),
  keyword: text(256, 'How the name begins, or the id.'),
  status: Type.Optional(
    Type.Union(
      ['1', '2', '3', 'expired'].map((status) => Type.Literal(status)),
      { description: '1 unused, 2 disabled, 3 used; or expired.' },
    ),
  ),
})

export const newCodesBody = Type.Object({
  name: Type.String({ maxLength: 256 }),
  quota: whole(UNITS),
  count: Type.Optional(Type.Union([whole(`1 to ${MOST_CODES}; 1 if it is missing.`), nothing])),
  expired_time: time,
})
export type NewCodesBody = Static<typeof newCodesBody>

/** Older consoles send whole records; other fields are ignored. */
export const codeBody = Type.Object({
  id,
  name: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), nothing])),
  quota: Type.Optional(Type.Union([whole('Quota units.'), nothing])),
  status: Type.Optional(
    Type.Union([Type.Integer(), nothing], {
      description: 'Only with `status_only`: 1 unused, 2 disabled.',
    }),
  ),
  expired_time: time,
  shown: Type.Optional(
    Type.Object(
      { name: Type.String(), quota: Type.Integer(), expired_time: Type.Integer() },
      {
        description:
          'The values as a page had read them: if somebody else has changed one since, nothing is written.',
      },
    ),
  ),
})
export type CodeBody = Static<typeof codeBody>

export const editQuery = Type.Object({
  status_only: text(16, 'If it is not empty, only `id` and `status` of the body count.'),
})

export const redeemBody = Type.Object({ key: Type.String({ maxLength: 256 }) })
