import {
  isObject,
  UpstreamError,
  type AttemptContext,
  type JsonObject,
  type UpstreamRequest,
  type UpstreamResponse,
} from '#core'
import { askJson, findFailureInSuccess, pause, readFailure } from '#adapter-kit'
import { chatFailure } from './read-answer.ts'

const POLL_MS = 1_000
const LONGEST_WAIT_MS = 120_000

/** Without a stream a chat is made in the background: create it, wait for its end, fetch its messages. */
export async function sendAndWait(
  request: UpstreamRequest,
  context: AttemptContext,
): Promise<UpstreamResponse> {
  if (context.isStream) return context.http.request(request, context.httpOptions)
  const created = dataOf(await askJson(context.http, request, context.httpOptions))
  const chat = await finishedChat(created, context)
  const { data: messages } = await ask('/v3/chat/message/list', chat, context)
  const answer = JSON.stringify({ code: 0, data: chat, messages })
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: inOnePiece(Buffer.from(answer)),
  }
}

/** @throws UpstreamError for a chat that fails or takes too long; it is then cancelled upstream */
async function finishedChat(created: JsonObject, context: AttemptContext): Promise<JsonObject> {
  const startedAt = performance.now()
  let chat = created
  while (chat.status === 'created' || chat.status === 'in_progress') {
    if (performance.now() - startedAt > LONGEST_WAIT_MS) {
      await cancel(chat, context)
      throw new UpstreamError(
        { status: 504, message: 'The bot did not answer in time.', code: null, isKnownShape: true },
        'timeout',
      )
    }
    await pause(POLL_MS, context.signal)
    chat = dataOf(await ask('/v3/chat/retrieve', chat, context))
  }
  if (chat.status !== 'completed') throw new UpstreamError(chatFailure(chat))
  return chat
}

async function ask(
  path: string,
  chat: JsonObject,
  { channel, http, httpOptions }: AttemptContext,
): Promise<JsonObject> {
  const { id, conversation_id } = chat
  const query = new URLSearchParams({
    conversation_id: String(conversation_id),
    chat_id: String(id),
  })
  const answer = await askJson(
    http,
    {
      url: `${channel.baseUrl}${path}?${query.toString()}`,
      headers: { authorization: `Bearer ${channel.key}` },
    },
    httpOptions,
  )
  const failure = findFailureInSuccess(answer)
  if (failure) throw new UpstreamError(failure)
  return answer
}

async function cancel(
  { id, conversation_id }: JsonObject,
  { channel, http, httpOptions }: AttemptContext,
): Promise<void> {
  const request = {
    url: `${channel.baseUrl}/v3/chat/cancel`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${channel.key}` },
    body: JSON.stringify({ conversation_id, chat_id: id }),
  }
  // Whether the bot could be stopped or not, the client gets the time-out.
  await askJson(http, request, httpOptions).catch(() => undefined)
}

function dataOf(answer: JsonObject): JsonObject {
  const failure = findFailureInSuccess(answer)
  if (failure) throw new UpstreamError(failure)
  if (!isObject(answer.data)) throw new UpstreamError(readFailure(200, answer))
  return answer.data
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}
