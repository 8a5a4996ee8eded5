// The neutral chat form: what every dialect is read into and written from.
import type { JsonObject } from './json.ts'
import type { RawFailure } from './errors.ts'
import type { ChatDialect } from './dialect.ts'

/** A provider's sealed bytes (signature, encrypted reasoning). Only that provider ever gets them back. `own`: an upstream with a format of
 *  its own, named in `id`. */
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

/** A token with the logarithm of its probability. `bytes` is its UTF-8, null if unknown. */
export interface Logprob {
  token: string
  logprob: number
  bytes: number[] | null
}

/** A token of an answer, with the most likely tokens at its position. */
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
  | {
      kind: 'image'
      source: MediaSource
      detail?: string
      /** Of an answer. */
      state?: OpaqueState
      cache?: CacheMark
    }
  | {
      kind: 'file'
      source: MediaSource
      name?: string
      /** The client wants citations of it; `index` counts the documents of the request from 0. */
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
      /** A call of a custom tool, as the upstream sent it. */
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

/** The parts of one kind, or of several. */
export type PartOf<K extends Part['kind']> = Extract<Part, { kind: K }>

export interface Turn {
  role: 'user' | 'model'
  parts: Part[]
  /** OpenAI's participant name. */
  name?: string
}

export interface ToolDeclaration {
  name: string
  description?: string | undefined
  /** JSON Schema of the arguments; absent when the function takes none. */
  parameters?: JsonObject
  strict?: boolean
  /** OpenAI's custom tool, whose input is plain text: the `format` it declares. Its `parameters` are those of freeform-tools.ts. */
  freeform?: { format?: JsonObject }
  /** OpenAI's own tool that a Responses client runs (a search for tools, a shell, patches): its own declaration. */
  ofClient?: JsonObject
  /** The group and the name under which a Responses client declared it. */
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
    /** Finds tools that are declared in the same request, at the provider. */
    | 'tool_search'
    | 'other'
  dialect: ChatDialect
  raw: JsonObject
}

export interface WebSearch {
  contextSize?: 'low' | 'medium' | 'high'
  userLocation?: JsonObject
  maxUses?: number
  /** Only these are searched. */
  allowedDomains?: string[]
  blockedDomains?: string[]
}

export type ToolChoice =
  | { mode: 'auto' | 'required' | 'none' }
  | { mode: 'one'; name: string }
  | { mode: 'some'; names: string[]; required: boolean }

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json' }
  | {
      type: 'schema'
      name?: string
      schema: JsonObject
      strict?: boolean
      description?: string
      /** Gemini's `text/x.enum`: the answer is one of the words, not JSON. */
      plain?: boolean
    }

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface ReasoningWish {
  effort?: Effort
  /** Tokens; 0 means off, -1 lets the model decide (Gemini). */
  budget?: number
  /** Share of the output limit, set by a thinking suffix without a budget. */
  share?: number
  /** The client asked to see thoughts. */
  includeThoughts?: boolean | undefined
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
  /** Fields that only the client's own dialect can express: a conversion refuses the call and names them. */
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
  /** The part of `cacheWrite5m` that OpenAI keeps for twelve hours. */
  cacheWrite12h?: number
  inputAudio: number
  inputImage: number
  output: number
  reasoning: number
  outputAudio: number
  outputImage: number
  /** The longest single prompt, if `input` is the sum of several. */
  longestPrompt?: number
  /** Counts of tools that the provider charges for: web_search, file_search, image_generation … */
  toolCalls?: Record<string, number>
  /** Tokens of the pictures that a tool of the provider drew with a model of its own; they are not part of the counts above. */
  drawn?: Usage
  svg?: SvgUsage
  /** What other models did for a session at the provider, each model once; no part of the counts above. */
  delegated?: readonly DelegatedUsage[]
  /** True if the gateway counted because the upstream reported nothing. */
  isEstimated?: boolean
}

export interface DelegatedUsage {
  /** As the client named it. */
  model: string
  /** Answers of that model. */
  calls: number
  usage: Usage
}

/** Tokens of the language model that wrote pictures as SVG after another had drawn them; no part of the other counts. */
export interface SvgUsage {
  /** As the upstream names it. */
  model: string
  input: number
  output: number
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
      choice?: number | undefined
      state?: OpaqueState
      /** For the tokens of this piece; they may come without a text. */
      logprobs?: TokenLogprob[]
    }
  | { type: 'reasoning'; delta: string; choice?: number | undefined }
  /** Seals the reasoning before it, or stands alone for redacted reasoning. */
  | { type: 'reasoning_state'; state: OpaqueState; redacted?: boolean }
  | { type: 'refusal'; delta: string; choice?: number | undefined }
  /** `index` counts tool calls of the answer from 0. */
  | {
      type: 'tool_start'
      index: number
      id: string
      name: string
      /** The upstream called it as a custom tool; its arguments are those of freeform-tools.ts. */
      freeform?: boolean
      /** Sent by an upstream of the Responses dialect that got the client's own tools. */
      namespace?: string
      state?: OpaqueState
      choice?: number | undefined
    }
  | { type: 'tool_args'; index: number; delta: string; choice?: number | undefined }
  | { type: 'tool_end'; index: number; choice?: number | undefined }
  | { type: 'image'; mediaType: string; data: string; state?: OpaqueState }
  | { type: 'audio'; delta: JsonObject }
  /** In the form of dialects/neutral/citations.ts. */
  | { type: 'citation'; citation: JsonObject }
  | { type: 'usage'; usage: Usage }
  | {
      type: 'finish'
      reason: FinishReason
      stopSequence?: string
      native?: string
      choice?: number | undefined
    }
  /** The model refused the prompt before answering (Gemini promptFeedback). */
  | { type: 'blocked'; reason: string }
  | { type: 'error'; failure: RawFailure }

/** The events of one type, or of several. */
export type EventOf<T extends ChatEvent['type']> = Extract<ChatEvent, { type: T }>
