import { type Static, Type } from '@sinclair/typebox'

const subjectKinds = ['token', 'user'] as const
export type SubjectKind = (typeof subjectKinds)[number]

export const MOST_SUBJECTS = 500
const MOST_DELETED = 100
export const MOST_EXPORTED = 2_000

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const kind = Type.Unsafe<SubjectKind>(Type.Union(subjectKinds.map((one) => Type.Literal(one))))

/** Whose calls are captured. */
export const subjectBody = Type.Object({ kind, id }, { additionalProperties: false })
export type SubjectBody = Static<typeof subjectBody>
export const subjectInPath = Type.Object({ kind, id })

export const callInPath = Type.Object({ id })
export const deleteBody = Type.Object(
  { ids: Type.Array(id, { minItems: 1, maxItems: MOST_DELETED }) },
  { additionalProperties: false },
)

const text = (maxLength: number, about: { description?: string } = {}) =>
  Type.Optional(Type.String({ maxLength, ...about }))
export const callQuery = Type.Object({
  p: text(32, { description: 'Page, from 1.' }),
  page_size: text(32, { description: 'At most 100; 10 if it is missing.' }),
  user_id: text(20),
  token_id: text(20),
  model: text(200),
  start: text(20, { description: 'Unix seconds.' }),
  end: text(20, { description: 'Unix seconds.' }),
})
export type CallQuery = Static<typeof callQuery>

export interface Subject extends SubjectBody {
  /** The user's name; empty if the account is deleted. */
  username: string
  /** Who has switched the capture on. */
  created_by: string
  created_at: number
}

/** The part of a call that lists show; it contains none of the texts. */
export interface CallEntry {
  id: number
  created_at: number
  user_id: number
  token_id: number
  model: string
  operation: string
  status: number
  request_id: string
  /** Characters that are stored. */
  size: number
  is_cut: boolean
}

export interface CallList {
  items: CallEntry[]
  total: number
  /** Bytes of all stored calls. */
  total_size: number
  /** Calls that this node could not store since its start, because there were too many at once or the database was away. */
  lost: number
  days: number
}

/** The texts of a call. Left-out parts are replaced by a note. */
export interface CapturedTexts {
  /** The body that was sent upstream; for a form its texts. */
  request: unknown
  /** The upstream's answer; undefined if there was none. */
  answer?: unknown
  error?: { code: string | number | null; message: string } | undefined
  /** The answer was longer than observers get, and was cut before it came here. */
  is_answer_cut: boolean
  channel_id: number
  duration_ms: number
}

export interface CapturedCall extends CallEntry {
  texts: CapturedTexts
}

/** The answer to a token's owner who asks whether his calls are captured. */
export interface OwnCapture {
  is_captured: boolean
  tokens: { id: number; name: string }[]
  days: number
}
