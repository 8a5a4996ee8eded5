// One relay call over plain HTTP, with everything that the client received before the end or the break.
export interface SeenAnswer {
  /** 0 if the connection broke before a status arrived. */
  status: number
  requestId: string
  body: string
  /** Whether the whole answer arrived: JSON to its end, or a stream to `[DONE]`. */
  isComplete: boolean
}

export interface ChatCall {
  url: string
  key: string
  model: string
  prompt?: string
  stream?: boolean
}

/** Never throws: a broken connection is an incomplete answer. */
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
    // What arrived before the break is in `seen`.
  }
  return seen
}
