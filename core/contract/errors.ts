import { isObject, type JsonObject } from './json.ts'

/** A text for people in the two languages of the product. `{name}` is filled from the error's values. */
export interface Text {
  en: string
  zh: string
}

/** A value of words is a text itself. */
export type ErrorValues = Record<string, string | number | boolean | Text>

/** What an API client reads in `error.code`. How each dialect words these codes is a table in core/relay/call/relay-error-wording.ts. */
export type RelayCode = string

/** Every refusal of ours. `status` is what a relay route answers; `/api` answers 200 unless error-edge.ts lists the code. */
export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly text: Text
  readonly values: ErrorValues
  readonly relayCode: RelayCode | undefined
  /** The request field to blame, shown as `param` to OpenAI clients. */
  readonly field: string | undefined
  /** Extra answer headers, e.g. Retry-After. */
  readonly headers: Readonly<Record<string, string>>

  constructor(input: {
    code: string
    status: number
    text: Text
    values?: ErrorValues
    relayCode?: RelayCode
    field?: string
    headers?: Record<string, string>
    cause?: unknown
  }) {
    super(fillText(input.text.en, inLanguage(input.values ?? {}, 'en')), { cause: input.cause })
    this.name = 'AppError'
    this.code = input.code
    this.status = input.status
    this.text = input.text
    this.values = input.values ?? {}
    this.relayCode = input.relayCode
    this.field = input.field
    this.headers = input.headers ?? {}
  }

  messageIn(language: 'en' | 'zh'): string {
    return fillText(this.text[language], this.valuesIn(language))
  }

  valuesIn(language: 'en' | 'zh'): FlatValues {
    return inLanguage(this.values, language)
  }
}

export interface ErrorExtras {
  field?: string
  headers?: Record<string, string>
  cause?: unknown
}

/** Declares an error once; the result makes instances to throw. */
export function errorType<V extends ErrorValues = Record<string, never>>(
  code: string,
  status: number,
  text: Text,
  options: { relay?: RelayCode } = {},
) {
  return (values?: V, extras: ErrorExtras = {}): AppError =>
    new AppError({
      code,
      status,
      text,
      ...(values === undefined ? {} : { values }),
      ...(options.relay === undefined ? {} : { relayCode: options.relay }),
      ...extras,
    })
}

type FlatValues = Record<string, string | number | boolean>

function inLanguage(values: ErrorValues, language: 'en' | 'zh'): FlatValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? value[language] : value,
    ]),
  )
}

export function fillText(text: string, values: FlatValues): string {
  const filled = text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
  // A value may have been cut in the middle of a character.
  return filled.toWellFormed()
}

/** What is wrong with an upstream's answer. The class drives retry, automatic disabling and the error that the client sees. */
export type FailureClass =
  | 'invalid-credentials'
  | 'insufficient-funds'
  | 'denied'
  | 'not-found'
  | 'throttled'
  | 'bad-request'
  | 'content'
  | 'upstream'
  | 'timeout'

/** A failure as an adapter or codec found it, before it is classified. */
export interface RawFailure {
  /** HTTP status of the answer; 200 when the error stood inside a success. */
  status: number
  message: string
  /** The upstream's own code, type kept; null when it has none. */
  code: string | number | null
  /** The upstream's own type word. */
  type?: string | undefined
  /** Set where the upstream's body names a status itself (Anthropic types, Google codes, Bedrock exceptions). */
  bodyStatus?: number | undefined
  param?: string | null | undefined
  retryAfterSeconds?: number | undefined
  /** What programs read beside the words (Anthropic's `error.details`). */
  details?: JsonObject | undefined
  /** False if the body had no known error shape (HTML, a stack trace): the client then gets a neutral message. */
  isKnownShape: boolean
}

/** An attempt that failed: thrown by codecs and adapters, caught by the relay's retry loop. */
export class UpstreamError extends Error {
  readonly failure: RawFailure
  readonly failureClass: FailureClass | undefined

  constructor(failure: RawFailure, failureClass?: FailureClass, options?: { cause?: unknown }) {
    super(failure.message, options)
    this.name = 'UpstreamError'
    this.failure = failure
    this.failureClass = failureClass
  }
}

/** A fault of the channel itself, found before anything was sent: malformed key, missing setting, a mode that its type lacks.
 *  Another channel is tried; the channel is never disabled for it. */
export class ChannelFault extends Error {
  readonly code: 'invalid_channel_key' | 'invalid_channel_setting' | 'api_not_implemented'
  readonly status: number
  readonly text: Text

  /** @param message for the admin, in both languages; one text stands for both */
  constructor(code: ChannelFault['code'], message: string | Text) {
    const text = bothTexts(message)
    super(text.en)
    this.name = 'ChannelFault'
    this.code = code
    this.text = text
    this.status = code === 'api_not_implemented' ? 501 : 400
  }
}

/** A plugin without types may give anything, such as the error that it has caught. */
function bothTexts(message: unknown): Text {
  const { en, zh = en } = isObject(message) ? message : {}
  if (typeof en === 'string' && typeof zh === 'string') return { en, zh }
  const words = message instanceof Error ? message.message : message
  const only = typeof words === 'string' ? words : ''
  return { en: only, zh: only }
}
