// A streamed answer: read from the upstream, translated, written to the client, settled before its last chunk.
import type { UpstreamResponse } from '../../contract/http-client.ts'
import { AppError, UpstreamError } from '../../contract/errors.ts'
import type { ClientError, SseEvent } from '../../contract/dialect.ts'
import type { Usage } from '../../contract/neutral.ts'
import type { EventSplitter } from '../../wire/sse.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { ClientStream } from './client-stream.ts'
import { hookEndOf } from '../hooks/hook-ends.ts'
import { hasEnded } from '../../net/push-queue.ts'
import { readStreamFailure, ruleOfBreak } from '../failure/stream-failure.ts'
import { refuseAnswer } from './refuse-answer.ts'
import { startKeepAlive, type KeepAlive } from './keep-alive.ts'
import type { AnswerDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { seeEvent, type Watched } from './see-event.ts'
import { settleCall } from '../charge/settle-call.ts'
import { breaksOff, clientStreamOf } from './client-stream-format.ts'
import { pushLast, type StreamPipeline, type Translated } from './stream-pipeline.ts'

export interface StreamAnswer extends Watched {
  attempt: Attempt
  response: UpstreamResponse
  splitter: EventSplitter
  translator: StreamPipeline
  ping: string
  /** Whether the client is shown no thoughts. */
  hidesThoughts?: boolean | undefined
  /** For a response in the background: whether the upstream is working on it. */
  isUnderWay?: (() => boolean) | undefined
  /** For a response in the background: resolves when the facts for its charge are stored. Nothing may be sent to the
   *  client before. */
  keeping?: (() => Promise<void> | undefined) | undefined
  /** For a response in the background, which its upstream continues even if nobody reads it: leaves the charge to its
   *  end.
   *  @returns false if the response has no id yet */
  goOn?: ((lost: () => Usage) => boolean) | undefined
}

/** How long an upstream may keep the connection open for late usage after a complete answer. */
const LATE_USAGE_MS = 2_000
const MOST_COPIED_CHARS = 16_384

/** How long a client sees nothing of thoughts that are hidden from it. */
const HIDDEN_MS = 5000

/** @throws while nothing has reached the client: the caller may then try another channel */
export async function answerStream(answer: StreamAnswer, deps: AnswerDeps): Promise<void> {
  const reader = new StreamReading(answer, deps)
  await reader.run()
}

class StreamReading {
  readonly #answer: StreamAnswer
  readonly #deps: AnswerDeps
  readonly #stream: ClientStream
  readonly #keepAlive: KeepAlive
  /** Text that completes the answer; it waits for the settlement. */
  #tail = ''
  /** When a client from which thoughts are hidden last got something. */
  #shownAtMs = 0
  #lateTimer: NodeJS.Timeout | undefined

  constructor(answer: StreamAnswer, deps: AnswerDeps) {
    this.#answer = answer
    this.#deps = deps
    const { call } = answer
    this.#stream = clientStreamOf(call, deps.settings)
    this.#keepAlive = startKeepAlive(this.#stream, call, answer.ping, deps.options)
  }

  async run(): Promise<void> {
    try {
      await this.#read()
    } catch (error) {
      const { call, tally } = this.#answer
      if (!this.#stream.hasStarted && !call.client.isGone && !this.#isElsewhere(error))
        return await refuseAnswer(error, this.#answer, () => tally.delivered(), this.#deps)
      return await this.#breakOff(error)
    } finally {
      this.#keepAlive.stop()
      clearTimeout(this.#lateTimer)
    }
    await this.#finish()
  }

  /** Whether the upstream continues the response by itself. Another channel would then cost a second time, unless the
   *  upstream has reported that the response failed. */
  #isElsewhere(error: unknown): boolean {
    if (error instanceof UpstreamError || hookEndOf(error) !== undefined) return false
    return this.#answer.isUnderWay?.() === true
  }

  async #read(): Promise<void> {
    const { attempt, splitter, translator } = this.#answer
    await this.#readChunks()
    this.#untouched = -1
    for (const event of splitter.end()) {
      const last = pushLast(translator, event)
      if (last) this.#take(last)
    }
    this.#take(translator.end(() => this.#answer.tally.unreported()))
    const { isOver } = attempt.drain
    if ((!translator.isComplete || !this.#answer.tally.hasOutput) && !isOver)
      throw relayErrors.cut()
    if (!this.#stream.hasStarted && !isOver) this.#stream.start()
  }

  /** Not a `for await` over a generator, which costs three more promises for each chunk. */
  async #readChunks(): Promise<void> {
    const chunks = this.#answer.response.body[Symbol.asyncIterator]()
    for (;;) {
      let next: IteratorResult<Uint8Array>
      try {
        next = await chunks.next()
      } catch (error) {
        return this.#judgeBreak(error)
      }
      if (next.done) return
      try {
        const pending = this.#takeChunk(next.value)
        if (pending) await pending
      } catch (error) {
        await chunks.return?.().catch(() => undefined)
        throw error
      }
    }
  }

  #takeChunk(chunk: Uint8Array): Promise<void> | undefined {
    const { attempt, splitter, translator } = this.#answer
    attempt.drain.took(chunk.length)
    this.#untouched = splitter.isBetween ? 0 : -1
    splitter.read(chunk, this.#takeEvent, translator.skim)
    const kept = this.#answer.keeping?.()
    if (kept) return kept.then(() => this.#flush(chunk, splitter.textLength))
    return this.#flush(chunk, splitter.textLength)
  }

  readonly #takeEvent = (event: SseEvent): void => {
    this.#take(this.#answer.translator.push(event), event.raw)
  }

  /** An abort by us, after the wait for late usage or at the limit for clients that left, is no fault. Neither is any
   *  break after the answer was complete. */
  #judgeBreak(error: unknown): void {
    if (this.#answer.translator.isComplete) return
    const { signal } = this.#answer.attempt.abort
    if (!signal.aborted) throw error
    // RELAY_TIMEOUT ran out or the process is stopping before the answer was complete: a failure with its own error.
    if (signal.reason instanceof AppError) throw signal.reason
  }

  #pendingText = ''
  /** The bytes of the pending text if it is unchanged and is sent with the end. */
  #pendingBytes: Uint8Array | undefined
  /** The length of pending text that is unchanged, from the beginning of the chunk; -1 if the pending text was changed. */
  #untouched = -1

  #take({ text, events, usage }: Translated, raw?: string): void {
    const { call, tally, translator } = this.#answer
    let hasOutput = false
    if (call.client.isGone) tally.clientLeft()
    for (const event of events) {
      seeEvent(this.#answer, event)
      hasOutput ||= tally.hasOutput
    }
    if (usage) tally.seeLater(usage)
    if (hasOutput && !this.#stream.hasStarted) this.#stream.start()
    // What completes the answer must not reach the client before the charge is committed.
    if (translator.isComplete) {
      this.#tail += text
      this.#awaitEnd()
      return
    }
    // Another choice begins after all known ones had ended.
    const shown = this.#tail === '' ? text : this.#takeBackEnd() + text
    this.#pendingText += shown
    this.#pendingBytes = undefined
    if (this.#untouched < 0) return
    this.#untouched = shown === raw ? this.#untouched + shown.length : -1
  }

  /** The rest of a chunk that contains the end of the answer is sent with the end, in one write. */
  #flush(chunk: Uint8Array, textLength: number): Promise<void> | undefined {
    const text = this.#pendingText
    if (text === '') return this.#showLife()
    if (this.#answer.hidesThoughts) this.#shownAtMs = performance.now()
    if (!this.#stream.hasStarted) {
      this.#pendingText = ''
      this.#stream.hold(text)
      return undefined
    }
    const isUntouched = this.#untouched === text.length
    // The text has as many characters as bytes, so each character is one byte, and positions are the same in both.
    const isAscii = isUntouched && textLength === chunk.length
    const bytes = this.#bytesOf(text, chunk, {
      isAscii,
      isWhole: isUntouched && text.length === textLength,
    })
    if (this.#answer.translator.isComplete && hasEnded(this.#answer.response.body)) {
      this.#pendingBytes = bytes
      return undefined
    }
    this.#pendingText = ''
    this.#keepAlive.wrote()
    return bytes ? this.#stream.write(bytes) : this.#stream.write(text, isAscii)
  }

  /** A model may think for minutes, and proxies close a connection that is silent for one. */
  #showLife(): Promise<void> | undefined {
    const { hidesThoughts, ping, translator } = this.#answer
    if (!hidesThoughts || !this.#stream.hasStarted || translator.isComplete) return undefined
    const nowMs = performance.now()
    this.#shownAtMs ||= nowMs
    if (nowMs - this.#shownAtMs < HIDDEN_MS) return undefined
    this.#shownAtMs = nowMs
    this.#keepAlive.wrote()
    return this.#stream.write(ping)
  }

  /** The unchanged part of a chunk is sent as the bytes that came, without encoding it again. A short text costs no
   *  more than that. */
  #bytesOf(
    text: string,
    chunk: Uint8Array,
    { isAscii, isWhole }: { isAscii: boolean; isWhole: boolean },
  ): Uint8Array | undefined {
    if (isAscii && text.length <= MOST_COPIED_CHARS) return undefined
    if (isWhole) return chunk
    return isAscii ? chunk.subarray(0, text.length) : undefined
  }

  #takeBackEnd(): string {
    clearTimeout(this.#lateTimer)
    this.#lateTimer = undefined
    const text = this.#tail
    this.#tail = ''
    return text
  }

  #awaitEnd(): void {
    if (hasEnded(this.#answer.response.body)) return
    this.#lateTimer ??= setTimeout(() => this.#answer.attempt.abort.abort(), LATE_USAGE_MS)
  }

  async #finish(): Promise<void> {
    const { call, attempt, tally, translator } = this.#answer
    const hasLeft = call.client.isGone
    const isDrained = hasLeft && translator.isComplete
    if (hasLeft && !isDrained && this.#goesOn()) return
    const rule = !hasLeft ? 'completed' : isDrained ? 'client_left_drained' : 'client_left_counted'
    const usage = !hasLeft || isDrained ? tally.complete() : tally.delivered()
    const isFree = hasLeft && !isDrained && (this.#stream.sentBytes === 0 || !tally.hasOutput)
    await settleCall(
      call,
      { attempt, usage, rule, status: hasLeft ? 499 : 200, isFree, tally },
      this.#deps,
    )
    const bytes = this.#pendingBytes
    if (bytes) this.#stream.end(this.#tail, bytes)
    else this.#stream.end(this.#pendingText + this.#tail)
  }

  /** Ends an answer that broke after output had begun or while it was only read for its usage: an error event without
   *  an end mark. What was delivered is billed. */
  async #breakOff(error: unknown): Promise<void> {
    const { call, attempt, translator } = this.#answer
    attempt.abort.abort()
    const shown = readStreamFailure(error, call, attempt, this.#deps)
    if (!this.#goesOn()) await this.#settleBroken(error, shown)
    this.#stream.start()
    const text = this.#pendingText + translator.errorText(shown)
    if (breaksOff(call)) this.#stream.break(text)
    else this.#stream.end(text)
  }

  #goesOn(): boolean {
    const { goOn, tally } = this.#answer
    return goOn?.(() => tally.delivered()) === true
  }

  async #settleBroken(error: unknown, shown: ClientError): Promise<void> {
    const { call, attempt, tally } = this.#answer
    const hasLeft = call.client.isGone
    const isFree = !tally.hasOutput || (hasLeft && this.#stream.sentBytes === 0)
    const rule = isFree ? 'no_output' : hasLeft ? 'client_left_counted' : ruleOfBreak(error)
    await settleCall(
      call,
      {
        attempt,
        usage: tally.delivered(),
        rule,
        status: hasLeft ? 499 : shown.status,
        isFree,
        tally,
      },
      this.#deps,
    )
  }
}
