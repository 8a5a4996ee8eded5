// Streamed answers (text/event-stream) of relay routes that accept a session.
import { textsOf } from '../texts/use-texts.ts'
import { ApiError, callerId, failureOf, headersOf, renewedSession } from './client.ts'

/** Code of an `ApiError`: the provider has refused the key of the gateway's channel. */
export const PROVIDER_REFUSED_KEY = 'provider_refused_key'

export interface EventStream {
  /** The id of the call in the usage log. */
  requestId: string | undefined
  /** The `data` of each event, including `[DONE]`. An answer that is not a stream counts as one event. */
  events: AsyncIterable<string>
}

/**
 * Sends a POST and reads the events of the answer as they arrive. Shows no toast.
 * @throws ApiError if the call is refused; the abort reason of `signal`
 */
export async function openStream(
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<EventStream> {
  let caller = callerId()
  let response = await post(path, body, signal)
  let isSessionLost = response.status === 401 && (await hasLostSession())
  if (isSessionLost && (await renewedSession())) {
    caller = callerId()
    response = await post(path, body, signal)
    isSessionLost = false
  }
  if (isSessionLost) throw failureOf(401, undefined, caller)
  if (!response.ok) throw await refusalOf(response, caller)
  return {
    requestId: response.headers.get('x-oneapi-request-id') ?? undefined,
    events: eventsOf(response),
  }
}

/** A relay route also answers 401 if a provider refuses the channel's key, which says nothing about the session. */
async function hasLostSession(): Promise<boolean> {
  const options = { headers: headersOf(undefined), credentials: 'same-origin' } as const
  const answer = await fetch('/api/user/self', options).catch(() => undefined)
  return answer?.status === 401
}

async function post(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(path, {
      method: 'POST',
      headers: headersOf(body),
      body: JSON.stringify(body),
      signal,
      credentials: 'same-origin',
    })
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new ApiError(() => textsOf()('error.unreachable'), 0, 'network')
  }
}

/** Relay routes answer `{"error":{message,code}}`, the guard before them the envelope. If the session is valid, a 401 comes from the provider. */
async function refusalOf(response: Response, caller: number): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    message?: string
    error?: { message?: string; code?: string }
  }
  const message = body.error?.message || body.message
  if (!message) return failureOf(response.status, undefined, caller)
  const code = response.status === 401 ? PROVIDER_REFUSED_KEY : body.error?.code
  return new ApiError(message, response.status, code)
}

async function* eventsOf(response: Response): AsyncGenerator<string> {
  if (!response.body) return
  if (!(response.headers.get('content-type') ?? '').includes('event-stream')) {
    yield await response.text()
    return
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const lines = new Lines()
  let data: string[] = []
  try {
    for (;;) {
      const { done, value = '' } = await reader.read()
      for (const line of lines.read(done ? '\n\n' : value)) {
        if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
        else if (line === '' && data.length > 0) {
          yield data.join('\n')
          data = []
        }
      }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Splits text into lines. Scans each piece only once, even if a line is very long. */
class Lines {
  #open: string[] = []

  read(text: string): string[] {
    const [first = '', ...rest] = text.split('\n')
    this.#open.push(first)
    const lines: string[] = []
    for (const piece of rest) {
      lines.push(this.#open.join('').replace(/\r$/, ''))
      this.#open = [piece]
    }
    return lines
  }
}
