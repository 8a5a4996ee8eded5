// The API client: envelope, user header, language, errors. Nothing else in the console calls `/api`.
import { nameFields } from './name-fields.ts'
import { toast } from '../kit/toast.ts'
import { usePreferences } from '../stores/preferences.ts'
import { useSession } from '../stores/session.ts'
import { firstWords, i18n } from '../texts/instance.ts'
import { textsOf } from '../texts/use-texts.ts'
import { saveFile } from './save-file.ts'
import { timeLimit } from './time-limit.ts'

export interface Envelope<T> {
  success: boolean
  message: string
  /** Of a refusal: the same in each language. */
  messages?: Readonly<Record<string, string>>
  data: T
  /** Machine-readable reason of a failure, such as `token.not_found`. */
  code?: string
  /** The values in the message; `field` is the invalid field. */
  values?: Readonly<Record<string, unknown>>
}

/** A failed call. `message` can be shown to the user, and follows the language; the codes `unnamed`, `network` and `late` are the console's own. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly values: NonNullable<Envelope<unknown>['values']>
  constructor(
    message: string | (() => string),
    status: number,
    code?: string,
    values: ApiError['values'] = {},
  ) {
    super()
    const get = typeof message === 'string' ? () => message : message
    Object.defineProperty(this, 'message', { get })
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.values = values
  }

  /** The invalid field, if the server named one. */
  get field(): string | undefined {
    const { field } = this.values
    return typeof field === 'string' ? field : undefined
  }
}

export type QueryValues = Record<string, string | number | boolean | undefined>

export interface CallOptions {
  query?: QueryValues
  /** No toast, because the caller shows the error itself. */
  isQuiet?: boolean
  signal?: AbortSignal
  /** How long to wait for the answer; left out: as long as it takes. */
  limitMs?: number
}

/** Resolves to the envelope's `data`. Errors are shown as a toast and thrown as ApiError. */
export const api = {
  get: <T>(path: string, options?: CallOptions) => dataOf(call<T>('GET', path, undefined, options)),
  post: <T>(path: string, body?: unknown, options?: CallOptions) =>
    dataOf(call<T>('POST', path, body, options)),
  put: <T>(path: string, body?: unknown, options?: CallOptions) =>
    dataOf(call<T>('PUT', path, body, options)),
  delete: <T>(path: string, options?: CallOptions) =>
    dataOf(call<T>('DELETE', path, undefined, options)),
  /** The whole envelope, for calls that have results beside `data`. */
  envelope: <T, Beside = object>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    options?: CallOptions,
  ) => call<T>(method, path, body, options) as Promise<Envelope<T> & Beside & CountHeader>,
}

/** Downloads a file and saves it under this name. Errors are shown as a toast and thrown as ApiError. */
export async function download(path: string, name: string, query?: QueryValues): Promise<void> {
  const caller = callerId()
  const response = await fetch(path + searchOf(query), {
    headers: headersOf(undefined),
    credentials: 'same-origin',
  }).catch(() => undefined)
  if (!response?.ok || response.headers.get('content-type')?.includes('json')) {
    const envelope = response && (await readEnvelope<unknown>(response))
    const error = response
      ? response.ok
        ? new ApiError(() => sentenceOf(envelope), 200, envelope?.code)
        : failureOf(response.status, envelope, caller)
      : new ApiError(() => textsOf()('error.unreachable'), 0, 'network')
    if (error.status !== 401) toast.error(() => error.message)
    throw error
  }
  saveFile(name, await response.blob())
}

/** Lists that are bare arrays send their full length as X-Total-Count. */
export interface CountHeader {
  totalCount?: number
}

const statusListeners = new Map<number, Set<() => void>>()

/** Called when the session has ended. @returns the disposer */
export function onSessionExpired(listener: () => void): () => void {
  return onStatus(401, listener)
}

let renewSession: (() => Promise<boolean>) | undefined

/** Called before a call fails because the session has ended. If it resolves to true, the call is repeated once. */
export function setSessionRenewal(renew: () => Promise<boolean>): void {
  renewSession = renew
}

/** The same for calls that are not sent by `api`. */
export async function renewedSession(): Promise<boolean> {
  return (await renewSession?.()) ?? false
}

let proveAgain: (() => Promise<boolean>) | undefined

/** Called before a call fails because the server wants a fresh proof of identity. If it resolves to true, the call is repeated once. */
export function setProof(prove: () => Promise<boolean>): void {
  proveAgain = prove
}

let factorListener: (() => void) | undefined

/** Called when the server refuses an admin who must set up a second factor first. */
export function onFactorRequired(listener: () => void): void {
  factorListener = listener
}

const proofNeeded = 'auth.proof_needed'
const factorRequired = 'auth.factor_required'
/** Errors that get no toast, because a dialog or the page that follows already explains them. */
const silentCodes: readonly (string | undefined)[] = [proofNeeded, factorRequired]

const signInPath = '/api/user/login'

/** Called when a route does not exist, e.g. because its plugin was disabled. Missing records have other errors. */
export function onCallMissing(listener: () => void): () => void {
  return onStatus(404, listener)
}

function onStatus(status: number, listener: () => void): () => void {
  const listeners = statusListeners.get(status) ?? new Set()
  statusListeners.set(status, listeners.add(listener))
  return () => listeners.delete(listener)
}

async function dataOf<T>(answer: Promise<Envelope<T>>): Promise<T> {
  return (await answer).data
}

async function call<T>(
  method: string,
  path: string,
  body: unknown,
  options: CallOptions = {},
): Promise<Envelope<T> & CountHeader> {
  try {
    return await send<T>(method, path, body, options)
  } catch (error) {
    // The sign-in page, which follows, says that the session has expired.
    const isShown = options.isQuiet || (error instanceof ApiError && isSaid(error))
    if (error instanceof ApiError && !isShown) toast.error(() => error.message)
    throw error
  }
}

function isSaid({ status, code }: ApiError): boolean {
  return status === 401 || silentCodes.includes(code)
}

/** What a second try would make twice, if only the answer to the first was lost. To be asked as the call is sent: the
 *  connection may go away while the server works. */
function isCreation(method: string, path: string): boolean {
  return method === 'POST' && path !== signInPath && navigator.onLine
}

let writtenAtMs = 0

/** When the server last answered a call that may have changed something. */
export function lastWriteMs(): number {
  return writtenAtMs
}

async function send<T>(
  method: string,
  path: string,
  body: unknown,
  options: CallOptions,
  mayRenew = path !== signInPath,
  mayProve = true,
): Promise<Envelope<T> & CountHeader> {
  const caller = callerId()
  const { response, envelope } = await exchange<T>(method, path, body, options)
  if (response.status === 401 && mayRenew && (await renewedSession())) {
    return send<T>(method, path, body, options, false, mayProve)
  }
  if (!response.ok || !envelope?.success) await firstWords()
  if (!response.ok) throw failureOf(response.status, envelope, caller)
  if (!envelope) throw new ApiError(() => textsOf()('error.unreadable'), response.status)
  if (!envelope.success) {
    if (envelope.code === factorRequired) factorListener?.()
    if (envelope.code === proofNeeded && mayProve && (await proveAgain?.())) {
      return send<T>(method, path, body, options, mayRenew, false)
    }
    const code = envelope.message ? envelope.code : (envelope.code ?? 'unnamed')
    throw new ApiError(() => sentenceOf(envelope), 200, code, envelope.values)
  }
  const total = response.headers.get('x-total-count')
  return total === null ? envelope : { ...envelope, totalCount: Number(total) }
}

/** @throws ApiError if no answer came; the caller's reason if the caller has aborted */
async function exchange<T>(method: string, path: string, body: unknown, options: CallOptions) {
  const mayBeMade = isCreation(method, path)
  const limit = timeLimit(options.signal, options.limitMs)
  try {
    const response = await fetch(path + searchOf(options.query), {
      method,
      headers: headersOf(body),
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
      signal: limit.signal,
      credentials: 'same-origin',
    })
    const envelope = await readEnvelope<T>(response)
    if (limit.isOver()) throw new Error('the answer broke off')
    return { response, envelope }
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    await firstWords()
    if (limit.isOver()) throw new ApiError(() => textsOf()('error.late'), 0, 'late')
    const key = mayBeMade ? 'error.lost' : 'error.unreachable'
    throw new ApiError(() => textsOf()(key), 0, 'network')
  } finally {
    limit.end()
    if (method !== 'GET') writtenAtMs = Date.now()
  }
}

function sentenceOf(refusal: Envelope<unknown> | undefined): string {
  const message = refusal?.messages?.[i18n.language] ?? refusal?.message
  return message ? nameFields(message, refusal?.values) : textsOf()('error.unnamed')
}

/** The user id sent with calls; -1 if nobody is signed in. */
export function callerId(): number {
  return useSession.getState().user?.id ?? -1
}

export function headersOf(body: unknown): Record<string, string> {
  return {
    'New-API-User': String(callerId()),
    'Accept-Language': usePreferences.getState().language,
    ...(body === undefined ? {} : { 'Content-Type': contentTypeOf(body) }),
  }
}

/** A file is sent as it is. */
function contentTypeOf(body: unknown): string {
  return body instanceof Blob ? 'application/octet-stream' : 'application/json'
}

async function readEnvelope<T>(response: Response): Promise<Envelope<T> | undefined> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as Envelope<T>) : undefined
  } catch {
    return undefined
  }
}

const ownSentences = new Map([
  [405, 'error.demoOnly'],
  [429, 'error.tooMany'],
  [500, 'error.server'],
])

/** Of a proxy before the gateway, which is being started again, say. */
const awayStatuses = new Set([502, 503, 504])

/** Some statuses mean the same on every call and have a message here; for others the server's is shown. `caller` is the user who made the call. */
export function failureOf(
  status: number,
  envelope: Envelope<unknown> | undefined,
  caller: number,
): ApiError {
  // A late answer to a previous user says nothing about the session of the current one.
  const isOfNow = caller === callerId()
  for (const listener of isOfNow ? (statusListeners.get(status) ?? []) : []) listener()
  if (status === 401) {
    return new ApiError(() => textsOf()('error.expired'), status, envelope?.code)
  }
  const own = ownSentences.get(status)
  const sentence = () => {
    const t = textsOf()
    if (own) return t(own)
    if (envelope?.code === 'route.missing') return t('error.gone')
    const bare = awayStatuses.has(status) ? t('error.away', { status }) : status
    return t('error.other', { message: envelope?.message ? sentenceOf(envelope) : bare })
  }
  return new ApiError(sentence, status, envelope?.code, envelope?.values)
}

function searchOf(query: QueryValues | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text && `?${text}`
}
