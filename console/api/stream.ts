// Answers that come event by event (text/event-stream), as the relay's routes give them to a signed-in person.
import { textsOf } from '../texts/use-texts.ts'
import { ApiError, callerId, failureOf, headersOf, renewedSession } from './client.ts'

/** The code of an `ApiError`: the provider refuses the key of the gateway's channel. */
export const PROVIDER_REFUSED_KEY = 'provider_refused_key'

export interface EventStream {
  /** Under this id the call stands in the usage log. */
  requestId: string | undefined
  /** The `data` of each event, `[DONE]` included. An answer that is no stream is one event. */
  events: AsyncIterable<string>
}

/**
 * Posts and reads the events of the answer as they come. Nothing is shown as a toast.
 * @throws ApiError when the call is refused; what `signal` aborts with
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

/** A relay route also answers 401 where a provider refuses the channel's key, which says nothing about who sits here. */
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
    throw new ApiError(textsOf()('error.unreachable'), 0, 'network')
  }
}

/** Relay routes answer `{"error":{message,code}}`; the guard before them the envelope. Where the session is there, a 401 is the provider's. */
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

/** Cuts text into lines; each piece is looked at once, however long its line becomes. */
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
