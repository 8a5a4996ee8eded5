// The neutral chat form: what every client dialect is read into and every upstream dialect is written from.
import type { JsonObject } from './json.ts'
import type { RawFailure } from './errors.ts'

export type ChatDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

/** The dialects in which errors are written; legacy and media routes speak openai-chat's error shape, task platforms bring an ErrorWriter. */
export type ErrorDialect = ChatDialect
/** Writes an error in an envelope of its own. */
export type ErrorWriter = (error: ClientError) => { status: number; body: JsonObject }

/** A provider's sealed bytes (signature, encrypted reasoning). Only its owner ever gets them back. `own`: an upstream with a format of its
 *  own, which names itself in `id`. */
export interface OpaqueState {
  owner: 'anthropic' | 'gemini' | 'openai' | 'own'
  data: string
  id?: string
}

export interface CacheMark {
  /** As Anthropic writes it: `{type: "ephemeral", ttl?}`. */
  control: JsonObject
}

export type MediaSource =
  | { type: 'base64'; mediaType: string; data: string }
  | { type: 'url'; url: string; mediaType?: string }
  | { type: 'file_id'; id: string; dialect: ChatDialect }
  | { type: 'text'; text: string }

/** A token with the logarithm of its probability. `bytes` is its UTF-8, null where nobody told. */
export interface Logprob {
  token: string
  logprob: number
  bytes: number[] | null
}

/** A token of an answer, with the likeliest ones in its place. */
export interface TokenLogprob extends Logprob {
  top_logprobs: Logprob[]
}

export type Part =
  | {
      kind: 'text'
      text: string
      cache?: CacheMark
      state?: OpaqueState
      /** Of an answer. */
      logprobs?: TokenLogprob[]
    }
  | { kind: 'image'; source: MediaSource; detail?: string; cache?: CacheMark }
  | {
      kind: 'file'
      source: MediaSource
      name?: string
      /** The client wants to be told what rests on it; `index` counts the documents of the request from 0. */
      cited?: { index: number }
      cache?: CacheMark
    }
  | { kind: 'audio'; data: string; mediaType: string }
  /** `arguments` is JSON text, `{}` when empty. */
  | {
      kind: 'tool_call'
      id: string
      name: string
      arguments: string
      /** A call of a custom tool, as the upstream told it. */
      freeform?: boolean
      /** Of an answer, as tool_start has it. */
      namespace?: string
      state?: OpaqueState
      cache?: CacheMark
    }
  | {
      kind: 'tool_result'
      callId: string
      name?: string
      content: Part[]
      isError?: boolean
      cache?: CacheMark
    }
  /** `redacted`: the text is unreadable, only `state` travels. */
  | { kind: 'reasoning'; text: string; state?: OpaqueState; redacted?: boolean }
  | { kind: 'refusal'; text: string }

export interface Turn {
  role: 'user' | 'model'
  parts: Part[]
  /** OpenAI's participant name. */
  name?: string
}

export interface ToolDeclaration {
  name: string
  description?: string
  /** JSON Schema of the arguments; absent when the function takes none. */
  parameters?: JsonObject
  strict?: boolean
  /** OpenAI's custom tool, whose input is plain text: the `format` it declares. Its `parameters` are those of freeform-tools.ts. */
  freeform?: { format?: JsonObject }
  /** Where a Responses client declared it: in this group, by this name of its own. */
  namespace?: { name: string; tool: string }
  cache?: CacheMark
}

/** A tool that the provider runs itself (web search, code execution). `raw` is its own declaration, sent back only to the same dialect. */
export interface HostedTool {
  kind:
    | 'web_search'
    | 'code_execution'
    | 'url_context'
    | 'file_search'
    | 'image_generation'
    | 'mcp'
    | 'computer'
    | 'other'
  dialect: ChatDialect
  raw: JsonObject
}

export interface WebSearch {
  contextSize?: 'low' | 'medium' | 'high'
  userLocation?: JsonObject
  maxUses?: number
}

export type ToolChoice =
  | { mode: 'auto' | 'required' | 'none' }
  | { mode: 'one'; name: string }
  | { mode: 'some'; names: string[]; required: boolean }

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json' }
  | { type: 'schema'; name?: string; schema: JsonObject; strict?: boolean; description?: string }

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface ReasoningWish {
  effort?: Effort
  /** Tokens; 0 means off, -1 lets the model decide (Gemini). */
  budget?: number
  /** Part of the output limit, set by a thinking suffix where no budget is. */
  share?: number
  /** The client asked to see thoughts. */
  includeThoughts?: boolean
  summary?: string
}

export interface ChatRequest {
  /** What the client wrote, before mapping. */
  model: string
  system: Part[]
  turns: Turn[]
  tools: ToolDeclaration[]
  hostedTools: HostedTool[]
  toolChoice?: ToolChoice
  /** False asks for one tool call at most. */
  parallelToolCalls?: boolean
  maxTokens?: number
  temperature?: number
  topP?: number
  topK?: number
  stop?: string[]
  count?: number
  seed?: number
  presencePenalty?: number
  frequencyPenalty?: number
  logitBias?: JsonObject
  logprobs?: boolean
  topLogprobs?: number
  responseFormat?: ResponseFormat
  reasoning?: ReasoningWish
  verbosity?: string
  user?: string
  metadata?: JsonObject
  store?: boolean
  serviceTier?: string
  promptCacheKey?: string
  webSearch?: WebSearch
  safetySettings?: JsonObject[]
  modalities?: string[]
  audio?: JsonObject
  imageConfig?: JsonObject
  stream: boolean
  /** An OpenAI client that asked for the usage chunk. */
  includeUsage: boolean
  /** Fields that only the client's own dialect can say: any conversion refuses them by name. */
  nativeFields?: string[]
  /** `functions`/`function_call` of the legacy form: the answer carries `function_call` back. */
  legacyFunctions?: boolean
}

/** Tokens. `input` holds all input, cache included; `output` holds all output, reasoning included. */
export interface Usage {
  input: number
  cacheRead: number
  cacheWrite5m: number
  cacheWrite1h: number
  inputAudio: number
  inputImage: number
  output: number
  reasoning: number
  outputAudio: number
  outputImage: number
  /** Counts of tools that the provider charges for: web_search, file_search, image_generation … */
  toolCalls?: Record<string, number>
  /** True when we counted because the upstream said nothing. */
  isEstimated?: boolean
}

export type FinishReason =
  | 'stop'
  | 'stop_sequence'
  | 'length'
  | 'tool_calls'
  | 'filtered'
  | 'paused'
  | 'bad_call'
  | 'other'

/** The neutral stream: start, then deltas, usage any number of times (the last counts), then finish or error. */
export type ChatEvent =
  | { type: 'start'; id?: string; model?: string; created?: number }
  | {
      type: 'text'
      delta: string
      choice?: number
      state?: OpaqueState
      /** Of the tokens of this piece; they may come without a text. */
      logprobs?: TokenLogprob[]
    }
  | { type: 'reasoning'; delta: string; choice?: number }
  /** Seals the reasoning before it, or stands alone for redacted reasoning. */
  | { type: 'reasoning_state'; state: OpaqueState; redacted?: boolean }
  | { type: 'refusal'; delta: string; choice?: number }
  /** `index` counts tool calls of the answer from 0. */
  | {
      type: 'tool_start'
      index: number
      id: string
      name: string
      /** The upstream called it as a custom tool; its arguments are those of freeform-tools.ts. */
      freeform?: boolean
      /** Told by an upstream of the Responses dialect that got the client's own tools. */
      namespace?: string
      state?: OpaqueState
      choice?: number
    }
  | { type: 'tool_args'; index: number; delta: string; choice?: number }
  | { type: 'tool_end'; index: number; choice?: number }
  | { type: 'image'; mediaType: string; data: string }
  | { type: 'audio'; delta: JsonObject }
  /** In the form of dialects/citations.ts. */
  | { type: 'citation'; citation: JsonObject }
  | { type: 'usage'; usage: Usage }
  | {
      type: 'finish'
      reason: FinishReason
      stopSequence?: string
      native?: string
      choice?: number
    }
  /** The model refused the prompt before answering (Gemini promptFeedback). */
  | { type: 'blocked'; reason: string }
  | { type: 'error'; failure: RawFailure }

/** One server-sent event. `data` is the joined data lines; `raw` is the event as it came, its empty line included. */
export interface SseEvent {
  event: string | undefined
  data: string
  raw: string
  /** `data` as parsed by the first that needed it, so that each event is parsed once. Whoever changes `data` drops it. */
  json?: unknown
}

/** What building a request leaves to be undone in the answer; hand the same object to buildRequest and to the parser of that attempt. */
export interface AnswerHints {
  /** From the tool names that were sent to the client's own. */
  toolNames?: Map<string, string>
  /** The tool that carried a JSON schema: its input is the text of the answer. */
  jsonTool?: string
  /** Stop sequences that the target refuses: the text is ended here at the first of them. */
  stops?: string[]
}

export interface StreamParser {
  /** Events of one upstream SSE event, in order; empty for pings, comments and `[DONE]`.
   *  @throws UpstreamError on data that is no JSON of the dialect */
  push(event: SseEvent): ChatEvent[]
  /** Called at the upstream's end: what is still to be said (a held tool_end, a finish that the dialect implies). */
  end(): ChatEvent[]
  /** True once the upstream said all (finish reason or its own end event): the stream is complete even without a closing mark. */
  readonly isComplete: boolean
}

/** What a writer needs to know of the answer that it writes. */
export interface AnswerMeta {
  requestId: string
  /** The client-visible model name. */
  model: string
  createdSeconds: number
  includeUsage: boolean
  /** Estimated prompt tokens, for Anthropic's message_start. */
  estimatedInput: number
  legacyFunctions: boolean
  /** The version header of an Anthropic client. */
  anthropicVersion?: string
  request?: ChatRequest
}

export interface StreamWriter {
  /** Wire text of one event; empty when nothing is to be sent yet. */
  write(event: ChatEvent): string
  /** Closing text after a complete stream. */
  end(): string
  /** Wire text of an error after output began; the caller then ends the stream without `end()`. */
  error(error: ClientError): string
}

/** Call it with each event and what the parser made of it: undefined = withhold, the event's own `raw` = unchanged. */
export interface PassFilter {
  (event: SseEvent, events: readonly ChatEvent[]): string | undefined
  /** What still closes a complete stream: openai-chat's usage chunk where it was not passed yet, and its `[DONE]`, which is always withheld until
   *  here. `counted` is our own count, for a stream that told no usage. */
  end(counted?: Usage): string
}

/** An error as the client shall see it, ready for any dialect. */
export interface ClientError {
  status: number
  code: string | number | null
  /** Ends with ` (request id: …)`. */
  message: string
  openaiType: string
  anthropicType: string
  geminiStatus: string
  param: string | null
  requestId: string
}

export interface BuildTarget {
  /** Upstream model name, after mapping and suffix rules. */
  model: string
  /** Names of request fields that the target cannot say are pushed here; they go to the log row's `other.dropped_params`. */
  dropped: string[]
  /** Answers per model, e.g. the default of max_tokens (claude.default_max_tokens), safety settings. */
  option<T>(key: string): T
  /** Filled by buildRequest. */
  hints?: AnswerHints
  /** What the model takes; a codec has defaults by name, an adapter may overrule. */
  capabilities?: Partial<ModelCapabilities>
  /** Sealed reasoning remembered for a call id that the client did not send back. */
  recallState?(callId: string): { reasoning?: Part[]; state?: OpaqueState } | undefined
}

export interface ModelCapabilities {
  reasoning: 'none' | 'effort' | 'budget' | 'adaptive' | 'level'
  sampling: boolean
  jsonSchema: boolean
  developerRole: boolean
}

/** Reads and writes one chat dialect, both as client and as upstream. */
export interface DialectCodec {
  id: ChatDialect
  /** @throws AppError request.invalid (400) naming the field */
  parseRequest(body: JsonObject, route: { model?: string; stream?: boolean }): ChatRequest
  /** @throws AppError request.unsupported_parameter (400) for what cannot be said and must not be dropped */
  buildRequest(request: ChatRequest, target: BuildTarget): JsonObject
  /** Writes a wish of a name suffix into a body of this dialect that is passed through; returns the same object when the model takes none. */
  editReasoning(
    body: JsonObject,
    wish: ReasoningWish,
    target: Pick<BuildTarget, 'model' | 'option' | 'capabilities'>,
  ): JsonObject
  /** False where only some models of this dialect's upstreams understand what the body says: it is converted then, as another dialect's
   *  would be. Default: true. */
  canPass?(body: JsonObject, model: string): boolean
  /** Takes out of a body that is passed through what the gateway wrote into the conversation when another provider answered, and nothing else; the
   *  same object when there is nothing. */
  mendHistory(body: JsonObject, model: string): JsonObject
  /** Leaves out of such a body every thought that is sealed, for an upstream that refused a seal. */
  forgetThoughts(body: JsonObject): JsonObject
  /** A whole answer as a burst of events, `start` first.
   *  @throws UpstreamError for an error inside a 200 or an unreadable answer */
  parseAnswer(body: JsonObject, hints?: AnswerHints): ChatEvent[]
  streamParser(hints?: AnswerHints): StreamParser
  /** One whole answer from the events of a stream or of parseAnswer. */
  writeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject
  streamWriter(meta: AnswerMeta): StreamWriter
  writeError(error: ClientError): JsonObject
  /** Looks for an error body in an answer of this dialect's upstreams. */
  readError(status: number, body: unknown): RawFailure | undefined
  /** Edits a passed-through stream on its way to the client. One per stream. */
  passFilter(meta: AnswerMeta): PassFilter
  /** The same for a whole answer; returns the same object when nothing is to be changed. `counted` is written where the answer tells no usage. */
  passAnswer(body: JsonObject, meta: AnswerMeta, counted?: Usage): JsonObject
  /** Wire text of an error after output began in a passed-through stream (no writer state is needed in any dialect). */
  streamError(error: ClientError): string
  /** A keep-alive block. */
  ping: string
}
