// A client of the Responses API over a WebSocket (developers.openai.com, guide "WebSocket mode"): each message asks for a response, which comes as
// its events. A message becomes a POST /v1/responses of the same client, so it is checked, routed, charged and logged like one.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../contract/errors.ts'
import type { UpstreamSocket } from '../../contract/http-client.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Logger } from '../../contract/services.ts'
import type { BodyIntake } from '../../http/bodies/body-intake.ts'
import type { Loopback } from '../../http/loopback.ts'
import { newRequestId } from '../../http/request-id.ts'
import { codecs } from '../../dialects/index.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { AccessWatch } from '../call/access-watch.ts'
import type { LiveSession } from '../call/live-sessions.ts'
import { gatewayErrorOf } from '../call/relay-error-wording.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { closeCodes } from '../call/close-codes.ts'
import type { KeptTextBounds, KeptTexts } from '../conversation/kept-texts.ts'
import { itemsText, joinItems, readAsk, readMessage, type SocketAsk } from './socket-ask.ts'
import {
  bodyWith,
  isError,
  messageOf,
  refusalOf,
  STEER,
  steerRefusal,
  warmUpEvents,
  wholeBody,
} from './socket-texts.ts'
import { outputOf, type TurnOutput } from './turn-output.ts'

/** Conversations of one connection at a time. */
const MOST_STREAMS = 16
/** Messages of one conversation that wait for their turn, or are answered. */
const MOST_WAITING = 8
/** Length of all messages of a connection that are not answered yet. */
const MOST_CHARS = 33_554_432
/** As OpenAI's: clients know that they must connect again. It bounds for how long a connection keeps the generation that took it. */
const LONGEST_MS = 3_600_000
/** For a client to close its side, too. */
const PARTING_MS = 2_000
/** Messages that are taken before others have their turn of the event loop: one packet may hold thousands. */
const A_TURN = 32
const MIB = 1_048_576
const HIGH_WATER_BYTES = MIB
/** Of what sockets remember. A client whose turn is forgotten is told that the response is unknown, and sends everything again. */
export const socketTurnBounds: KeptTextBounds = { all: 64 * MIB, aUser: 16 * MIB }

export interface ResponseSocketDeps {
  /** What sockets remember of conversations, for turns that state only what is new: the inside of a JSON list. */
  turns: KeptTexts
  loopback: Pick<Loopback, 'post'>
  /** Among whose bodies messages count that wait for their turn; their calls count them from then on. */
  intake: Pick<BodyIntake, 'open'>
  log: Logger
  /** For how long a client may read nothing. */
  stallMs: number
}

/** The client behind the connection. */
export interface SocketClient {
  userId: number
  socket: UpstreamSocket
  remoteAddress: string
  /** Those of its handshake that a call has too. */
  headers: Record<string, string>
  language: 'en' | 'zh'
  /** @throws the relay errors of a key that may not be used any more */
  check(): Promise<void>
}

/** Messages are answered one after the other. */
interface Stream {
  waiting: number
  tail: Promise<void>
  /** The response that its next message probably goes on from. */
  lastId: string | undefined
}

export class ResponseSocket implements LiveSession {
  readonly #client: SocketClient
  readonly #deps: ResponseSocketDeps
  /** A socket alone may go on from what it remembers. */
  readonly #id = randomUUID()
  readonly #streams = new Map<string, Stream>()
  readonly #left = new AbortController()
  readonly #access = new AccessWatch(
    () => this.#client.check(),
    (error) => this.#withdraw(error),
  )
  #charsUnderWay = 0
  #isEnding = false
  #isStopped = false
  #parting: NodeJS.Timeout | undefined

  constructor(client: SocketClient, deps: ResponseSocketDeps) {
    this.#client = client
    this.#deps = deps
  }

  /** Resolves when the connection is closed and every answer has ended. */
  async run(): Promise<void> {
    const age = setTimeout(() => this.#endOld(), LONGEST_MS).unref()
    let taken = 0
    try {
      for await (const message of this.#client.socket.messages) {
        this.#take(message)
        taken += 1
        if (taken % A_TURN === 0) await nextTurn()
        await this.#whenRead()
      }
    } catch {
      // The connection broke.
    }
    clearTimeout(age)
    clearTimeout(this.#parting)
    this.#left.abort()
    for (const { tail, lastId } of this.#streams.values()) {
      await tail
      if (lastId !== undefined) this.#forget(lastId)
    }
  }

  end(): void {
    this.#isEnding = true
    this.#closeIfIdle()
  }

  /** The calls under way were cut short: their last words are on the way. */
  stop(): void {
    this.#isStopped = true
    this.end()
  }

  recheck(): Promise<void> {
    return this.#access.recheck()
  }

  #withdraw(error: AppError): void {
    this.#refuse(error, undefined)
    this.#client.socket.close(closeCodes.policy, error.relayCode)
    this.#left.abort()
  }

  #endOld(): void {
    this.#refuse(relayErrors.socketTooOld(), undefined)
    this.end()
  }

  #closeIfIdle(): void {
    const isIdle = [...this.#streams.values()].every(({ waiting }) => waiting === 0)
    if (!this.#isEnding || !isIdle) return
    const { socket } = this.#client
    socket.close(closeCodes.goingAway)
    // A stop does not wait for one that has vanished.
    this.#parting ??= setTimeout(() => {
      if (socket.bufferedAmount === 0) socket.break(new Error('the client does not close'))
    }, PARTING_MS).unref()
  }

  #take(message: string | Uint8Array): void {
    let ask: SocketAsk | undefined
    try {
      if (this.#isEnding) throw relayErrors.stopping()
      const event = readMessage(message)
      if (event['type'] === STEER) return this.#send(steerRefusal(event), undefined)
      ask = readAsk(event)
      this.#enqueue(ask, message.length)
    } catch (error) {
      this.#refuse(error, ask?.streamId)
    }
  }

  #enqueue(ask: SocketAsk, length: number): void {
    const stream = this.#streamOf(ask.streamId ?? '')
    const isFull = this.#charsUnderWay > 0 && this.#charsUnderWay + length > MOST_CHARS
    if (isFull || stream.waiting >= MOST_WAITING) throw relayErrors.socketBusy()
    const release = this.#hold(length)
    stream.waiting += 1
    this.#charsUnderWay += length
    stream.tail = stream.tail.then(async () => {
      release()
      try {
        if (!this.#left.signal.aborted) await this.#answer(ask, stream)
      } catch (error) {
        if (!this.#left.signal.aborted) this.#refuse(error, ask.streamId)
      } finally {
        stream.waiting -= 1
        this.#charsUnderWay -= length
        this.#closeIfIdle()
      }
    })
  }

  /** @returns what gives the room back @throws request.share_full, server.bodies_full */
  #hold(length: number): () => void {
    const body = this.#deps.intake.open(this.#client.userId)
    body.finish()
    const fault = body.take(length)
    if (!fault) return () => body.close()
    body.close()
    throw fault
  }

  /** One that has long been silent makes room for a new one. */
  #streamOf(name: string): Stream {
    const known = this.#streams.get(name)
    this.#streams.delete(name)
    const stream = known ?? { waiting: 0, tail: Promise.resolve(), lastId: undefined }
    if (this.#streams.size >= MOST_STREAMS) {
      const idle = [...this.#streams].find(([, { waiting }]) => waiting === 0)
      if (!idle) throw relayErrors.socketBusy()
      this.#streams.delete(idle[0])
      this.#remember(idle[1], undefined)
    }
    this.#streams.set(name, stream)
    return stream
  }

  async #answer(ask: SocketAsk, stream: Stream): Promise<void> {
    if (this.#isStopped) throw relayErrors.stopping()
    const { previousId, settings } = ask
    const before = previousId === undefined ? undefined : this.#recall(previousId)
    if (ask.isWarmUp && previousId !== undefined && before === undefined)
      throw relayErrors.previousUnknown({}, { field: 'previous_response_id' })
    const items = joinItems(before ?? '', itemsText(ask.input))
    if (ask.isWarmUp) return this.#warmUp(ask, items, stream)
    const body = before === undefined ? wholeBody(ask) : bodyWith(settings, items)
    const answer = await this.#post(body)
    const output = await this.#pass(answer, ask)
    // What is said after a response that is kept elsewhere would be a conversation without its beginning.
    const isWhole = previousId === undefined || before !== undefined
    if (output && isWhole)
      this.#remember(stream, { ...output, items: joinItems(items, output.items) })
  }

  /** Keeps what a message went on from until its answer has come: the client may send it again. */
  #remember(stream: Stream, output: TurnOutput | undefined): void {
    const { userId } = this.#client
    if (stream.lastId !== undefined) this.#forget(stream.lastId)
    stream.lastId = output?.id
    if (output) this.#deps.turns.keep(userId, `${this.#id} ${output.id}`, output.items)
  }

  #recall(responseId: string): string | undefined {
    return this.#deps.turns.find(this.#client.userId, `${this.#id} ${responseId}`)
  }

  #forget(responseId: string): void {
    this.#deps.turns.forget(this.#client.userId, `${this.#id} ${responseId}`)
  }

  #warmUp({ settings, streamId }: SocketAsk, items: string, stream: Stream): void {
    const id = `resp_${newRequestId()}`
    this.#remember(stream, { id, items })
    for (const event of warmUpEvents(id, settings['model'])) this.#send(event, streamId)
  }

  #post(body: string): Promise<IncomingMessage> {
    const { headers, remoteAddress } = this.#client
    return this.#deps.loopback.post({
      path: '/v1/responses',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body,
      remoteAddress,
      signal: this.#left.signal,
    })
  }

  /** Passes the events on as they come. On a socket an error is the last: what came after it would be taken for the next answer. */
  async #pass(
    answer: IncomingMessage,
    { streamId, settings }: SocketAsk,
  ): Promise<TurnOutput | undefined> {
    if (!answer.headers['content-type']?.includes('text/event-stream')) {
      this.#send(await refusalOf(answer), streamId)
      return undefined
    }
    const splitter = new SseSplitter()
    let output: TurnOutput | undefined
    let hasFailed = false
    for await (const piece of answer as AsyncIterable<Buffer>) {
      for (const event of splitter.push(piece)) {
        if (hasFailed || event.data === '' || event.data === '[DONE]') continue
        hasFailed = isError(event)
        this.#sendText(messageOf(event), streamId)
        // What may be stored is known where the call is made: here to the gateway, or to the upstream.
        if (settings['store'] === false) output ??= outputOf(event)
      }
      await this.#whenRead()
    }
    return output
  }

  /** Waits for a client that does not read what it was sent. */
  async #whenRead(): Promise<void> {
    if (this.#client.socket.bufferedAmount <= HIGH_WATER_BYTES) return
    const stalled = setTimeout(
      () => this.#client.socket.break(new Error('the client reads nothing')),
      this.#deps.stallMs,
    )
    await this.#client.socket.drained()
    clearTimeout(stalled)
  }

  #send(event: JsonObject, streamId: string | undefined): void {
    this.#sendText(JSON.stringify(event), streamId)
  }

  #sendText(json: string, streamId: string | undefined): void {
    const isNamed = streamId !== undefined && json.startsWith('{"')
    const text = isNamed ? `{"stream_id":${JSON.stringify(streamId)},${json.slice(1)}` : json
    this.#client.socket.send(text)
  }

  #refuse(error: unknown, streamId: string | undefined): void {
    const requestId = newRequestId()
    const { language } = this.#client
    if (!(error instanceof AppError))
      this.#deps.log.error({ err: error, requestId }, 'a message of a Responses socket failed')
    const shown = gatewayErrorOf(error, requestId, language)
    const { status } = shown
    this.#send({ type: 'error', status, ...codecs['openai-responses'].writeError(shown) }, streamId)
  }
}
