import type { ReservationRule } from '../../billing/recent-costs.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AttemptContext, CallOperation, FormPart } from '../../contract/adapter.ts'
import type { ChatDialect, ClientError, ErrorWriter } from '../../contract/dialect.ts'
import type { ChatRequest } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { PriceSnapshot, Reservation, TokenIdentity } from '../../contract/services.ts'
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import type { Attempt } from './attempt.ts'
import type { StoredResponse } from './stored-responses.ts'

/** Who calls, as the key check or the console session found out. */
export interface RelayCaller {
  identity: TokenIdentity
  /** `sk-<key>-17`: that channel and no other. */
  pinnedChannel: number | undefined
}

/** What a route reads out of a request, before anything is decided. */
export interface RelayInput {
  operation: CallOperation
  dialect: ChatDialect
  /** The client's name for the model; each attempt has the upstream's. */
  requestedModel: string
  isStream: boolean
  /** The client's bytes; what goes upstream where nothing needs editing. */
  bytes: Buffer
  body: JsonObject | undefined
  form: FormPart[] | undefined
  /** What is wrong with the request beside its model; told after the checks of the model. */
  fault?: Error | undefined
  /** `stream_options.include_usage` of an OpenAI client. */
  includeUsage: boolean
  /** The stored response that this call goes on from: its channel and key, or none. */
  bound?: StoredResponse | undefined
  /** Models to try when `requestedModel` cannot be served; a chat's own list. */
  fallbacks?: readonly string[] | undefined
  /** Rewrites a plain JSON answer for a client of another shape. */
  writeAnswer?: (answer: JsonObject) => JsonObject
  /** A submit to a task platform: the relay admits and routes it, the rest is its own. */
  task?: TaskStep
  /** A realtime session: frames over a socket of its own in place of an answer. */
  session?: SessionStep
}

/** What sets a task's submit apart from a call that is answered at once (core/tasks). */
export interface TaskStep {
  /** Whether another channel may be tried. */
  readonly isRetryable: boolean
  readonly writeError: ErrorWriter
  price(call: RelayCall): PricedCall
  /** Sends, settles or releases, and answers. @throws as attempts do */
  attempt(call: RelayCall, attempt: Attempt): Promise<void>
}

/** What sets a realtime session apart from a call over HTTP. */
export interface SessionStep {
  /** Resolves when the upstream has taken the session. @throws as attempts do */
  attempt(call: RelayCall, attempt: Attempt): Promise<void>
  /** Tells the client that no channel took it. */
  refuse(error: ClientError): void
}

export interface PricedCall {
  price: PriceSnapshot
  /** The model's own price, before factors such as image sizes. */
  unitPrice: PriceSnapshot
  /** To reserve, by estimate. */
  units: number
  /** The answer may cost anything: the client set it no limit. */
  isOpenEnded?: boolean
}

/** One call on its way through the relay. Fields after `reservation` are filled as it goes. */
export interface RelayCall extends RelayInput {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly requestId: string
  readonly startedAtMs: number
  readonly language: 'en' | 'zh'
  readonly identity: TokenIdentity
  readonly pinnedChannel: number | undefined
  /** The group whose price and channels apply. */
  group: string
  price: PriceSnapshot
  /** The model's own price before image sizes and counts were applied. */
  unitPrice: PriceSnapshot
  reservation: Reservation
  /** How much was reserved, and by which rule; for the receipt. */
  reserved?: { units: number; rule: ReservationRule }
  isOpenEnded?: boolean
  /** Prompt tokens by a quick estimate, for the reservation and for size limits. */
  promptEstimate: number
  /** The neutral form, made when the first attempt needs it. */
  neutral: ChatRequest | undefined
  readonly tried: RoutedChannel[]
  /** The conversation, once a choice of channels depended on it; empty when it has no name. */
  affinityKey?: string
  /** Of channels with several; the last one is in use. */
  triedKeys?: Set<string>
  readonly client: ClientState
  /** Facts for the log row's `other`. */
  readonly notes: Record<string, unknown>
  readonly dropped: Set<string>
}

const noReservation: Reservation = Object.freeze({ requestId: '', userId: 0, tokenId: 0, units: 0 })

/** A call that has been read and whose caller is known; price and reservation come later. */
export function openCall(
  input: RelayInput,
  caller: RelayCaller,
  group: string,
  request: FastifyRequest,
  reply: FastifyReply,
): RelayCall {
  return {
    ...input,
    request,
    reply,
    requestId: request.id,
    startedAtMs: performance.now(),
    language: request.language,
    identity: caller.identity,
    pinnedChannel: caller.pinnedChannel,
    group,
    price: undefined as never,
    unitPrice: undefined as never,
    reservation: noReservation,
    promptEstimate: 0,
    neutral: undefined,
    tried: [],
    client: watchClient(reply),
    notes: {},
    dropped: new Set(),
  }
}

/** The connection to the client. */
export interface ClientState {
  isGone: boolean
  goneAtMs: number
  /** Time of the first byte that reached the client, undefined before. */
  firstByteAtMs: number | undefined
}

/** The key of the last attempt, where the channel has several. */
export function keyInUse({ triedKeys }: Pick<RelayCall, 'triedKeys'>): string | undefined {
  return triedKeys && [...triedKeys].at(-1)
}

const forwardedHeaders = [
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'idempotency-key',
  'http-referer',
  'x-title',
  'accept',
  'content-type',
] as const

/** The request headers that adapters may look at. */
export function clientHeadersOf(request: FastifyRequest): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') found[name] = value
  }
  return found
}

/** What goes on to an upstream of the client's own dialect, besides what its adapter knows. */
export function headersOfDialect({ clientHeaders }: AttemptContext): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of ['idempotency-key', 'openai-beta']) {
    const value = clientHeaders[name]
    if (value !== undefined) found[name] = value
  }
  return found
}

/** Watches the connection: an answer is read on after its client left, but written no more. */
export function watchClient(reply: FastifyReply): ClientState {
  const state: ClientState = { isGone: false, goneAtMs: 0, firstByteAtMs: undefined }
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return
    state.isGone = true
    state.goneAtMs = performance.now()
  })
  return state
}
