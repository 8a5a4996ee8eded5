// What an adapter is: a frozen description of one upstream API. It holds no state and writes no money.
import type { ProviderPrices } from './prices.ts'
import type { TSchema } from '@sinclair/typebox'
import type { BuildTarget, ChatDialect, ModelCapabilities, StreamParser } from './dialect.ts'
import type { ChatEvent, ChatRequest, Usage } from './neutral.ts'
import type { FailureClass, RawFailure, Text } from './errors.ts'
import type { PickerEntry } from './provider-face.ts'
import type {
  FormPart,
  HttpClient,
  HttpOptions,
  UpstreamRequest,
  UpstreamResponse,
} from './http-client.ts'
import type { JsonObject } from './json.ts'
import type { TaskPlatform } from './task.ts'

export type OperationName =
  | 'chat'
  | 'count_tokens'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'decisions'
  | 'images.generations'
  | 'images.edits'
  | 'audio.speech'
  | 'audio.transcriptions'
  | 'audio.translations'
  | 'rerank'
  | 'realtime'
  | 'responses.compact'
  | 'responses.input_tokens'
  | 'gemini.count_tokens'

/** A task is not one request with one answer, so adapters declare it in `tasks`, not among their operations. */
export type CallOperation = OperationName | 'task'

/** A JSON body on its way upstream or back. Edits return a new object; returning the same one means "unchanged, send the bytes as they are". */
export type Body = JsonObject

/** A channel as its adapter sees it: frozen, secrets decrypted, base URL resolved. */
export interface ChannelView {
  readonly id: number
  readonly type: number
  readonly name: string
  readonly key: string
  /** The channel's own or the adapter's, without a trailing slash. */
  readonly baseUrl: string
  readonly other: string
  readonly organization: string
  readonly models: readonly string[]
  /** The parsed `setting` JSON. */
  readonly setting: Readonly<JsonObject>
}

/** Typed reading of option values by key; see contract/options.ts. */
export interface OptionReader {
  get<T = unknown>(key: string): T
}

/** What an adapter may know about one attempt. */
export interface AttemptContext {
  readonly channel: ChannelView
  readonly operation: CallOperation
  /** The upstream's name of the model: mapped, suffix rules applied by the adapter's `resolveModel`. */
  readonly model: string
  /** What a suffix of the model name asked for; the adapter's `body` turns it into fields of its dialect. */
  readonly resolved: ResolvedModel
  readonly requestedModel: string
  readonly isStream: boolean
  readonly clientDialect: ChatDialect
  /** Allow-listed request headers of the client, lower case: anthropic-version, anthropic-beta, openai-beta, idempotency-key (as a
   *  name of the customer's own), http-referer, x-title, accept, content-type. */
  readonly clientHeaders: Readonly<Record<string, string>>
  readonly clientQuery: Readonly<Record<string, string>>
  /** The client's own JSON body, in its dialect; undefined for multipart calls. */
  readonly clientBody: Readonly<JsonObject> | undefined
  readonly options: OptionReader
  readonly http: HttpClient
  readonly httpOptions: HttpOptions
  readonly signal: AbortSignal
  readonly requestId: string
  /** Short-lived values shared by all requests (access tokens); keys are prefixed with the adapter's id by the host. */
  readonly cache: AdapterCache
  now(): Date
  /** An environment variable that the adapter documents; undefined when it is not set. */
  variable(name: string): string | undefined
  /** Facts for the log row's `other`, e.g. reasoning_effort. */
  note(key: string, value: unknown): void
  /** The name of a request field that was dropped in conversion. */
  drop(field: string): void
  /** The name of a field that the neutral form does not know and that the adapter itself took from `clientBody`: it is not told as dropped. */
  carry(field: string): void
  /** Downloads an image or file that a client named by URL, guarded, at most MAX_FILE_DOWNLOAD_MB.
   *  @throws AppError request.unreachable_file */
  fetchFile(url: string): Promise<{ mediaType: string; data: Uint8Array }>
}

export interface AdapterCache {
  /** Returns the cached value, or makes it once; `make` states its lifetime, `ttlMs`. In the last `renewMs` of that time the value is
   *  still returned, and renewed in the background. */
  remember<T>(
    key: string,
    make: () => Promise<{ value: T; ttlMs: number; renewMs?: number }>,
  ): Promise<T>
  forget(key: string): void
}

export interface Endpoint {
  url: string
  headers: Record<string, string>
  method?: string
}

/** How the bytes of a streamed answer become events. */
export type StreamFraming = 'sse' | 'ndjson' | 'aws-event-stream'

/** An upstream that speaks one or more of the four chat dialects. */
export interface DialectChat {
  /** Best first. Clients of a listed dialect are passed through; all others are converted to the first one. */
  dialects:
    | readonly ChatDialect[]
    | ((model: string, channel: ChannelView) => readonly ChatDialect[])
  endpoint(dialect: ChatDialect, context: AttemptContext): Endpoint | Promise<Endpoint>
  /** Last edits on the body, in the upstream's dialect; also for passed-through bodies. `memory` is always there within the gateway. */
  body?(
    body: Body,
    dialect: ChatDialect,
    context: AttemptContext,
    memory?: ThoughtRecall,
  ): Body | Promise<Body>
  /** Whether `stream_options.include_usage` is sent on streams of openai-chat. Default 'always'. */
  streamUsage?: 'always' | 'client' | 'never'
  capabilities?(model: string): Partial<ModelCapabilities>
  /** Edits of the upstream's answer towards its dialect, before anything reads it. */
  answer?(body: Body, dialect: ChatDialect, context: AttemptContext): Body
  /** The same for the parsed data of one stream event; undefined drops the event, a new object is written in its place. */
  streamData?(data: Body, dialect: ChatDialect, context: AttemptContext): Body | undefined
  framing?: StreamFraming
  /** Names of the stream events that belong to the dialect; events with other names are dropped. Default: all. */
  streamEvents?: readonly string[]
}

/** Sealed reasoning from before a tool call that the client's dialect could not carry. */
export interface StateRecall {
  recallState: NonNullable<BuildTarget['recallState']>
}

export interface ThoughtRecall {
  /** What the model thought before this call of the same user, without a seal; undefined if it is not known, or no longer. */
  recallThought: NonNullable<BuildTarget['recallThought']>
}

/** An upstream with a chat format of its own. */
export interface OwnChat {
  send(
    request: ChatRequest,
    context: AttemptContext,
    memory: StateRecall,
  ): UpstreamRequest | Promise<UpstreamRequest>
  /** @throws UpstreamError for an error inside a 200 */
  readAnswer(body: unknown, context: AttemptContext, request: ChatRequest): ChatEvent[]
  framing?: StreamFraming
  /** One per stream. `data` of NDJSON and event-stream frames is their JSON text. */
  streamReader(context: AttemptContext, request: ChatRequest): OwnStreamReader
}

/** What a dialect's parser of streams does, for a format of its own. */
export type OwnStreamReader = StreamParser

export type ChatOperation = DialectChat | OwnChat

/** For an upstream whose models differ in format: returns the format of this call. Must return the same for the same model. */
export type ChatChoice = (
  context: Pick<AttemptContext, 'channel' | 'model' | 'requestedModel'>,
) => ChatOperation

/** Every operation except chat: JSON or multipart in; JSON, bytes or a stream out; in OpenAI's shape towards the client. */
export interface PlainOperation {
  /** False: for this model the adapter does not have the operation. */
  isServed?(context: Pick<AttemptContext, 'channel' | 'model'>): boolean
  endpoint(context: AttemptContext): Endpoint | Promise<Endpoint>
  /** From the client's (OpenAI-shaped) JSON body to the upstream's. */
  body?(body: Body, context: AttemptContext): Body | Promise<Body>
  /** For multipart bodies: the parts to send, or a JSON body or plain bytes for an upstream that takes no forms.
   *  Default: the client's parts, with `model` replaced. */
  form?(parts: FormPart[], context: AttemptContext): FormPart[] | Body | Uint8Array
  /** From the upstream's JSON answer to the client's shape.
   *  @throws UpstreamError for an error inside a 200 */
  answer?(
    body: unknown,
    context: AttemptContext,
  ): Body | BinaryAnswer | Promise<Body | BinaryAnswer>
  /** From an answer that is not JSON (the bytes of an image) to the client's shape. Default: passed on byte for byte. */
  binaryAnswer?(answer: BinaryAnswer, context: AttemptContext): Body | BinaryAnswer
  /** `answer` for the data of one event, where the answer is a stream; undefined drops the event. */
  streamData?(data: Body, context: AttemptContext): Body | undefined
  /** Usage found in the (client-shaped) answer; undefined lets core count. */
  usage?(answer: Body, context: AttemptContext): Partial<Usage> | undefined
}

/** An answer that is bytes to the client, e.g. speech. */
export interface BinaryAnswer {
  mediaType: string
  data: Uint8Array
  usage?: Partial<Usage>
}

/** How client and upstream speak over the WebSocket of a session: OpenAI's Realtime API for conversations, transcripts and translations, its
 *  Live API, and the Live API of Gemini. */
export type RealtimeApi =
  | 'realtime'
  | 'realtime.transcription'
  | 'realtime.translation'
  | 'live'
  | 'gemini.live'

export interface RealtimeOperation {
  /** Which of them the upstream speaks. Default: `realtime` alone. */
  apis?: readonly RealtimeApi[]
  /** `protocols`: the subprotocols that the client offers. */
  endpoint(
    context: AttemptContext & { protocols: readonly string[]; api: RealtimeApi },
  ): RealtimeTarget | Promise<RealtimeTarget>
}

export interface RealtimeTarget {
  url: string
  headers: Record<string, string>
  protocols: string[]
  /** What the session's first message calls the model, in an API that names it there. Default: the context's `model`. */
  model?: string
  /** Refuses a message of the client by throwing an AppError: the upstream does not get it. */
  admit?(message: JsonObject): void
}

export interface Operations {
  chat?: ChatOperation | ChatChoice
  /** Asked in Anthropic's dialect. */
  count_tokens?: PlainOperation
  completions?: PlainOperation
  embeddings?: PlainOperation
  moderations?: PlainOperation
  decisions?: PlainOperation
  'images.generations'?: PlainOperation
  'images.edits'?: PlainOperation
  'audio.speech'?: PlainOperation
  'audio.transcriptions'?: PlainOperation
  'audio.translations'?: PlainOperation
  rerank?: PlainOperation
  'responses.compact'?: PlainOperation
  /** How many tokens a call of /v1/responses would read. */
  'responses.input_tokens'?: PlainOperation
  /** Asked with what counts of a Gemini request: `contents`, `systemInstruction`, `tools`, `toolConfig`; answers `totalTokens`. */
  'gemini.count_tokens'?: PlainOperation
  realtime?: RealtimeOperation
  /** See CallOperation. */
  task?: never
}

export interface ChannelTypeInfo {
  name: string
  /** Where this type of a shared adapter differs from the others. */
  baseUrl?: string
  models?: readonly string[]
}

/** What the channel form asks for beyond key and base URL. */
export interface ChannelForm {
  /** A hint under the key field, e.g. the parts of a composite key. */
  key?: Text
  baseUrl?: { required?: boolean; help?: Text }
  /** Meaning of the per-type extra field `other`; absent: the field is hidden. */
  other?: {
    label: Text
    required?: boolean
    /** Required only if the key is a JSON document; other kinds of keys do not need the field. */
    requiredWithJsonKey?: boolean
    help?: Text
    default?: string
    /** A JSON object in it maps models to values and must have the key `default`. */
    isModelMap?: boolean
  }
  /** Newlines in `key` are part of it (a JSON document). */
  isMultilineKey?: boolean
}

export interface AdapterDefinition {
  /** The folder's name. */
  id: string
  /** Stored in every channel row: never renumbered, never reused. */
  channelTypes: Readonly<Record<number, string | ChannelTypeInfo>>
  /** Used when a channel leaves its own blank; '' if every channel must name one. */
  baseUrl: string
  models: readonly string[]
  /** Default prices of the provider's own models; an adapter states no prices for models of others. */
  prices?: ProviderPrices
  operations: Operations
  /** Long-running work that its channels do. */
  tasks?: TaskPlatform
  form?: ChannelForm
  /** Fields of an image call, besides `n`, that ask this upstream for several pictures; `a.b` is a nested field. They are
   *  checked like `n`, and the largest of them is reserved. */
  countFields?: readonly string[]
  /** Keys of the channel's `setting` JSON that this adapter reads; the console draws them. */
  settings?: TSchema
  /** Local checks before any call.
   *  @throws ChannelFault */
  checkChannel?(channel: ChannelView): void
  /** Suffix rules: the upstream's name for a mapped model name, and what its suffix asks for. */
  resolveModel?(
    model: string,
    context: { options: OptionReader; channel: ChannelView },
  ): ResolvedModel
  /** Finds an error in the provider's own shape, also inside a 200; core knows the common shapes. Header names are lower case. */
  readError?(
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): RawFailure | undefined
  /** The class of a failure; undefined: core's table decides by status, code and type. Its `message` lacks what stands between quotation marks and what
   *  it repeats of the call: those are words of a client. */
  classify?(failure: RawFailure): FailureClass | undefined
  /** Allows a retry on another channel although the class forbids it, e.g. for a 504 known to be harmless. */
  isRetryable?(failure: RawFailure, failureClass: FailureClass): boolean | undefined
  /** Sends the request in the adapter's own way (WebSocket, submit and poll). Default: one HTTP call. */
  transport?(request: UpstreamRequest, context: AttemptContext): Promise<UpstreamResponse>
  fetchModels?(channel: ChannelView, http: HttpClient, httpOptions: HttpOptions): Promise<string[]>
  /** In US dollars. NaN where the answer names no balance: 0 would disable the channel. */
  fetchBalance?(
    channel: ChannelView,
    http: HttpClient,
    context: { options: OptionReader; httpOptions: HttpOptions; now: () => Date },
  ): Promise<number>
  /** False: the channel test answers "not supported" without a call. */
  isTestable?: boolean
  /** Shown as `owned_by` in model lists. Default: the id. */
  ownedBy?: string
  /** One line for docs and console: what this provider is. */
  summary: string
  /** Its logo: a name of the icon set (`@lobehub/icons-static-svg`), or an SVG document of its own. Left out: a monogram. */
  mark?: string
  /** Prefixes of the names of the provider's own models, lower case: these models show its logo. */
  makes?: readonly string[]
  picker?: PickerEntry
}

export interface ResolvedModel {
  model: string
  effort?: string
  /** The reasoning that the name asks for, e.g. by a thinking suffix; passed to the codec. */
  thinking?: { budgetShare?: number; budget?: number; adaptive?: boolean; off?: boolean }
}

export interface Adapter extends Readonly<AdapterDefinition> {
  readonly kind: 'adapter'
}

/** Does not validate: the host checks every manifest in one place and names the wrong key. */
export function defineAdapter(definition: AdapterDefinition): Adapter {
  return deepFreeze({ kind: 'adapter' as const, ...definition })
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
