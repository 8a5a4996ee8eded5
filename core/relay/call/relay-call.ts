// A call by stage: read, admitted, priced. Each stage adds fields to the one before; no field exists before its value is known.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReservationRule } from '../../billing/recent-costs.ts'
import type { CallOperation } from '../../contract/adapter.ts'
import type { FormPart } from '../../contract/http-client.ts'
import type { AnswerMeta, ChatDialect, DialectCodec } from '../../contract/dialect.ts'
import type { ChatRequest } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { PriceSnapshot, Reservation, TokenIdentity } from '../../contract/services.ts'
import type { CallObserver, RelayView } from '../../contract/relay.ts'
import type { ResponseCache } from '../../contract/relay-points.ts'
import type { AnswerRecord } from '../hooks/answer-record.ts'
import type { CallKind } from './call-kind.ts'
import { watchClient, type ClientState } from './client-state.ts'
import type { StoredResponse } from '../conversation/stored-responses.ts'
import type { TriedChannel } from '../attempt/tried-channels.ts'

/** The caller, as identified by the key check or the console session. */
export interface RelayCaller {
  identity: TokenIdentity
  /** Set by a key of the form `sk-<key>-17`: that channel and no other may serve the call. */
  pinnedChannel: number | undefined
}

/** The codec for the client's dialect, if it is not one of our own. */
export interface ClientCodec extends DialectCodec {
  /** The media type of its streams. */
  readonly streamType: string | undefined
}

/** What a route reads from a request, before anything is decided. */
export interface ReadCall {
  readonly operation: CallOperation
  readonly dialect: ChatDialect
  /** The model as the client names it. What the upstream calls it is known to each attempt. */
  readonly requestedModel: string
  readonly isStream: boolean
  /** The client's bytes, sent upstream if nothing needs editing. */
  readonly bytes: Buffer
  readonly body: JsonObject | undefined
  readonly form: FormPart[] | undefined
  /** A fault of the request that does not concern its model. It is reported after the checks of the model. */
  readonly fault?: Error | undefined
  /** `stream_options.include_usage` of an OpenAI client. */
  readonly includeUsage: boolean
  /** The stored response that this call continues, and with it the channel and key to use. */
  readonly bound?: StoredResponse | undefined
  /** Models to try if `requestedModel` cannot be served; only chats have them. */
  readonly fallbacks?: readonly string[] | undefined
  /** Fields of the client's request that a conversion has left out, for the log row. */
  readonly lost?: readonly string[]
  /** For a dialect that only clients speak: `body` is the call converted to one of ours, and nothing is passed through. */
  readonly ownCodec?: ClientCodec | undefined
  /** The neutral form, if the request was read directly into it. */
  readonly neutral?: ChatRequest | undefined
  /** Rewrites a plain JSON answer for a client of another shape. */
  readonly writeAnswer?: ((answer: JsonObject) => JsonObject) | undefined
  /** The answer of ours that the client goes on from; what was said before it is part of `body`. */
  readonly previousId?: AnswerMeta['previousId']
  /** Stores the items of an answer that we write, for a client that may refer to them. */
  readonly keepOutput?: AnswerMeta['keepOutput']
}

/** A call without a fault, from a caller who may make it. */
export interface AdmittedCall
  extends Omit<
    ReadCall,
    'fault' | 'fallbacks' | 'bound' | 'bytes' | 'body' | 'form' | 'neutral' | 'lost'
  > {
  /** The client's bytes, or those that the hooks of `relay.request` made of them. */
  bytes: Buffer
  body: JsonObject | undefined
  form: FormPart[] | undefined
  /** As in ReadCall; undefined once its channel can no longer serve the call. */
  bound: StoredResponse | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly requestId: string
  readonly startedAtMs: number
  readonly language: 'en' | 'zh'
  readonly identity: TokenIdentity
  readonly pinnedChannel: number | undefined
  /** The group whose price and channels apply. */
  readonly group: string
  /** The neutral form, made when the first attempt needs it. */
  neutral: ChatRequest | undefined
  readonly tried: TriedChannel[]
  /** The keys tried of a channel that has several; the last one is in use. */
  triedKeys: Set<string> | undefined
  /** Those of them that their provider refused. */
  refusedKeys: Set<string> | undefined
  readonly client: ClientState
  /** What hooks are shown of the call; created for the first hook. */
  view: RelayView | undefined
  /** The observers that are told when the call is over. */
  observers: readonly CallObserver[] | undefined
  /** The response caches that get the complete answer. */
  caches: readonly { cache: ResponseCache; key: string }[] | undefined
  /** The recorded answer, if an observer or cache needs it. */
  record: AnswerRecord | undefined
  /** Facts for the log row's `other`. */
  readonly notes: Record<string, unknown>
  readonly dropped: Set<string>
}

/** What a call costs, before anything is reserved for it. */
export interface CallPrice {
  price: PriceSnapshot
  /** The model's own price, before factors such as image sizes. */
  unitPrice: PriceSnapshot
  /** The units to reserve, an estimate. */
  units: number
  /** The cost of the call is not to be foreseen, e.g. because the client set the answer no limit. */
  isOpenEnded: boolean
}

interface PricedCall extends AdmittedCall, Readonly<Omit<CallPrice, 'units'>> {
  /** Prompt tokens by a quick estimate, for the reservation and for size limits. */
  readonly promptEstimate: number
  /** The reserved units and the rule; for the receipt. */
  readonly reserved: { units: number; rule: ReservationRule }
  readonly reservation: Reservation
  /** Identifies the conversation, set once the choice of a channel depended on it. Empty if the call belongs to none. */
  affinityKey: string | undefined
}

/** A call that is paid for, up to its reservation, and may be sent. */
export type RelayCall = PricedCall & CallKind

/** Makes the call from what was read and who the caller is. It stays one object to its end. All fields of later stages
 *  are created here, so that its shape never changes (V8 keeps its fast property access). */
export function openCall(
  read: ReadCall,
  caller: RelayCaller,
  group: string,
  reply: FastifyReply,
): AdmittedCall {
  const { request } = reply
  const call = {
    operation: read.operation,
    dialect: read.dialect,
    requestedModel: read.requestedModel,
    isStream: read.isStream,
    bytes: read.bytes,
    body: read.body,
    form: read.form,
    includeUsage: read.includeUsage,
    bound: read.bound,
    writeAnswer: read.writeAnswer,
    ownCodec: read.ownCodec,
    previousId: read.previousId,
    keepOutput: read.keepOutput,
    request,
    reply,
    requestId: request.id,
    startedAtMs: performance.now(),
    language: request.language,
    identity: caller.identity,
    pinnedChannel: caller.pinnedChannel,
    group,
    neutral: read.neutral,
    tried: [],
    triedKeys: undefined,
    refusedKeys: undefined,
    client: watchClient(reply),
    view: undefined,
    observers: undefined,
    caches: undefined,
    record: undefined,
    notes: {},
    dropped: new Set(read.lost),
    // Fields of later stages.
    kind: undefined,
    step: undefined,
    price: undefined,
    unitPrice: undefined,
    isOpenEnded: undefined,
    promptEstimate: undefined,
    reserved: undefined,
    reservation: undefined,
    affinityKey: undefined,
  }
  return call
}

/** The call with its kind, price and reservation. */
export function pricedCall(
  call: AdmittedCall,
  kind: CallKind,
  { price, unitPrice, isOpenEnded }: CallPrice,
  paid: Pick<RelayCall, 'promptEstimate' | 'reserved' | 'reservation'>,
): RelayCall {
  return Object.assign(call, kind, {
    price,
    unitPrice,
    isOpenEnded,
    promptEstimate: paid.promptEstimate,
    reserved: paid.reserved,
    reservation: paid.reservation,
    affinityKey: undefined,
  })
}

/** The key of the last attempt, where the channel has several. */
export function keyInUse({ triedKeys }: Pick<RelayCall, 'triedKeys'>): string | undefined {
  return triedKeys && [...triedKeys].at(-1)
}
