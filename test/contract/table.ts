// How a table of the contract is written: one room for each subject, one entry for each call of the two API documents.
import type { TSchema } from '@sinclair/typebox'
import type { Stage } from './stage.ts'

export const callerNames = ['anonymous', 'user', 'admin', 'root'] as const
export type CallerName = (typeof callerNames)[number]

/** Who gets past the guard. `session`: as user, but by cookie only. `player`: as session, but refused as clients of the relay are.
 *  `key`: a relay key, no console session. */
export type Access = 'public' | 'session' | 'player' | 'user' | 'admin' | 'key'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What fills the path, the query and the body of a call. */
export interface Sent {
  by?: CallerName
  path?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number>>
  body?: unknown
}

type Sending = Sent | ((stage: Stage) => Sent | Promise<Sent>)

export interface Success {
  it: string
  send?: Sending
  /** Left out: the answer has no `data`. */
  data?: TSchema
  /** Keys next to `data`. */
  beside?: Readonly<Record<string, TSchema>>
  /** Left out: empty. */
  message?: RegExp
}

export interface Refusal {
  it: string
  send: Sending
  code: string
  /** Words of the English message that the documents name. */
  says?: RegExp
  /** 200 where it is left out, as for every handled failure. */
  status?: number
}

export interface Call {
  method: Method
  path: string
  access: Access
  /** Gets past the guard and leaves everything as it is. */
  probe?: Sending
  /** The call ends its caller's session or account: callers of its own. */
  endsCaller?: boolean
  answers?: readonly Success[]
  refuses?: readonly Refusal[]
}

export interface Story {
  it: string
  run: (stage: Stage) => Promise<void>
}

export interface Room {
  subject: string
  /** The answers depend on statements, so it is run on PostgreSQL, too. */
  dependsOnSql?: boolean
  prepare?: (stage: Stage) => Promise<void>
  calls: readonly Call[]
  stories?: readonly Story[]
}

export function resolve(sending: Sending | undefined, stage: Stage): Sent | Promise<Sent> {
  return typeof sending === 'function' ? sending(stage) : (sending ?? {})
}

/** The address of a call with its parameters and its query. */
export function addressOf(path: string, { path: parameters = {}, query = {} }: Sent): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(parameters[name] ?? 999_999)),
  )
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return text === '' ? filled : `${filled}?${text}`
}
