import { type Static, Type } from '@sinclair/typebox'

export const subjectKinds = ['token', 'user'] as const
export type SubjectKind = (typeof subjectKinds)[number]

export const MOST_SUBJECTS = 500
export const MOST_DELETED = 100
export const MOST_EXPORTED = 2_000

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const kind = Type.Unsafe<SubjectKind>(Type.Union(subjectKinds.map((one) => Type.Literal(one))))

/** Whose calls are kept. */
export const subjectBody = Type.Object({ kind, id }, { additionalProperties: false })
export type SubjectBody = Static<typeof subjectBody>
export const subjectInPath = Type.Object({ kind, id })

export const callInPath = Type.Object({ id })
export const deleteBody = Type.Object(
  { ids: Type.Array(id, { minItems: 1, maxItems: MOST_DELETED }) },
  { additionalProperties: false },
)

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
export const callQuery = Type.Object({
  p: text(32),
  page_size: text(32),
  user_id: text(20),
  token_id: text(20),
  model: text(200),
  start: text(20),
  end: text(20),
})
export type CallQuery = Static<typeof callQuery>

export interface Subject extends SubjectBody {
  /** Of the user; empty where the account is gone. */
  username: string
  /** Who switched it on. */
  created_by: string
  created_at: number
}

/** What is listed of a call: nothing of what was said. */
export interface CallEntry {
  id: number
  created_at: number
  user_id: number
  token_id: number
  model: string
  operation: string
  status: number
  request_id: string
  /** Characters that are kept. */
  size: number
  is_cut: boolean
}

export interface CallList {
  items: CallEntry[]
  total: number
  /** Of all that is kept. */
  total_size: number
  /** Calls of this node, since its start, that could not be kept: too many at once, or no database. */
  lost: number
  days: number
}

/** What was said. Where something was left out, it says so in its place. */
export interface CapturedTexts {
  /** The body as it went on to the upstream; of a form its texts. */
  request: unknown
  /** As the upstream gave it; undefined where there was none. */
  answer?: unknown
  error?: { code: string | number | null; message: string } | undefined
  /** Longer than what is kept of an answer: it was cut before it came here. */
  is_answer_cut: boolean
  channel_id: number
  duration_ms: number
}

export interface CapturedCall extends CallEntry {
  texts: CapturedTexts
}

/** What an owner is told. */
export interface OwnCapture {
  is_captured: boolean
  tokens: { id: number; name: string }[]
  days: number
}
