// One relay call as plain HTTP: what the client saw of it, to the last byte or to the break.
export interface SeenAnswer {
  /** 0 when the connection broke before a status came. */
  status: number
  requestId: string
  body: string
  /** The whole answer came: a JSON text to its end, a stream to `[DONE]`. */
  isComplete: boolean
}

export interface ChatCall {
  url: string
  key: string
  model: string
  prompt?: string
  stream?: boolean
}

/** Never throws: a broken connection is an answer that is not complete. */
export async function chat({
  url,
  key,
  model,
  prompt = 'Hi',
  stream = false,
}: ChatCall): Promise<SeenAnswer> {
  const seen: SeenAnswer = { status: 0, requestId: '', body: '', isComplete: false }
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: prompt }] }),
    })
    seen.status = response.status
    seen.requestId = response.headers.get('x-request-id') ?? ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      seen.body += decoder.decode(chunk, { stream: true })
    }
    seen.isComplete = !stream || seen.status !== 200 || seen.body.endsWith('data: [DONE]\n\n')
  } catch {
    // What came before the break is in `seen`.
  }
  return seen
}
