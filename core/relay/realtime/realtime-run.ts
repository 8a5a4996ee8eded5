// A realtime session that its upstream has accepted: frames are relayed unchanged both ways, and what ends with them is charged.
import type { UpstreamSocket } from '../../contract/http-client.ts'
import type { ClientError } from '../../contract/dialect.ts'
import { AppError } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Usage } from '../../contract/neutral.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { redactionFor } from '../failure/failures.ts'
import { judgeCall } from '../failure/judge-call.ts'
import { admitFrame, readFrame, type AdmittedFrame } from './admit-frame.ts'
import { parseFrame, type Frame } from './frames.ts'
import type { Ended, SessionMeter, SessionProtocol } from './protocols/session-protocol.ts'
import { checkAccess } from './realtime-access.ts'
import { RealtimeBill } from './realtime-bill.ts'
import { AccessWatch } from '../call/access-watch.ts'
import { closeCodes } from '../call/close-codes.ts'
import type { RealtimeUpstream } from './realtime-upstream.ts'
import { redactValue } from '../../secrets/redact.ts'
import { anyCredential } from '../intake/credentials.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { SessionDeps } from '../call/relay-deps.ts'
import { internalClientError, ownClientError } from '../call/relay-error-wording.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** How many bytes may wait for a slow reader before the gateway stops reading from the other side. */
const HIGH_WATER_BYTES = 1_048_576

interface Ending {
  rule: string
  status: number
  code: number
  /** For the close frame; that of an error is the protocol's. */
  reason: string
  error?: ClientError
}

/** How the gateway itself ended a session. */
interface Cut {
  error: AppError
  rule: string
  code: number
}

interface RunParts {
  call: RelayCall
  attempt: Attempt
  protocol: SessionProtocol
  /** The client's first message, if the upstream was sent it already. */
  opening: AdmittedFrame | undefined
  upstream: RealtimeUpstream
  client: SessionClient
  deps: SessionDeps
}

export interface SessionClient {
  socket: UpstreamSocket
  frames: AsyncIterator<Frame>
}

export class RealtimeRun {
  readonly #parts: RunParts
  readonly #meter: SessionMeter
  readonly #bill: RealtimeBill
  readonly ended: Promise<void>
  readonly #redact: (text: string) => string
  readonly #access = new AccessWatch(
    () => checkAccess(this.#parts.call, this.#parts, this.#parts.deps),
    (error) => this.#withdraw(error),
  )
  #hasLeft = false
  #isEnding = false
  #isCharging = false
  #failure: { error: unknown } | undefined
  /** Set if the gateway ended the session. */
  #cutOff: Cut | undefined
  #unblock: (() => void) | undefined
  #drainedBytes = 0
  #drainTimer: NodeJS.Timeout | undefined

  constructor(parts: RunParts) {
    this.#parts = parts
    const { channel } = parts.attempt
    this.#redact = redactionFor({ channel, presentedKey: anyCredential(parts.call.request) })
    this.#meter = parts.protocol.meter(parts.call.requestedModel)
    const { frame, delegate } = parts.opening ?? {}
    this.#bill = new RealtimeBill(parts.call, parts.attempt, parts.deps, delegate)
    if (frame) this.#meter.sent(frame)
    this.ended = this.#live()
  }

  end(): void {
    this.#isEnding = true
    this.#endUpstream()
  }

  /** An answer under way goes on to its end. */
  #endUpstream(): void {
    const { upstream, protocol } = this.#parts
    if (!this.#meter.isAnswering) upstream.socket.close(closeCodes.normal)
    else if (protocol.farewell !== undefined) upstream.socket.send(protocol.farewell)
  }

  /** Ends at once because the process stops: what was delivered is charged, the client is told. */
  stop(): void {
    this.#cut({
      error: relayErrors.stopping(),
      rule: 'gateway_stopped',
      code: closeCodes.goingAway,
    })
  }

  /** Ends the session if its owner, token or channel would no longer be let in. */
  async recheck(): Promise<void> {
    if (!this.#cutOff) await this.#access.recheck()
  }

  /** Once a second: what a session is charged for may grow without a frame. */
  async tick(): Promise<void> {
    await this.recheck()
    if (!this.#meter.dueByTime || this.#isCharging || this.#failure) return
    this.#isCharging = true
    try {
      await this.#chargeTime(this.#meter.dueByTime())
    } catch (error) {
      this.#failure = { error }
      this.#abort()
    }
    this.#isCharging = false
  }

  async #chargeTime(due: Usage | undefined): Promise<void> {
    if (due) {
      await this.#bill.charge(due)
      await this.#bill.reserveNext()
    } else if (this.#meter.isAnswering) await this.#bill.hold(() => this.#meter.running())
  }

  #withdraw(error: AppError): void {
    const code = error.status < 500 ? closeCodes.policy : closeCodes.tryAgainLater
    this.#cut({ error, rule: 'access_ended', code })
  }

  #cut(cut: Cut): void {
    this.#cutOff ??= cut
    this.#abort()
  }

  /** Whoever waits for a slow reader waits no longer. */
  #abort(): void {
    this.#parts.attempt.abort.abort()
    this.#unblock?.()
  }

  async #live(): Promise<void> {
    const { upstream, call, deps } = this.#parts
    void this.#relayClient()
    let ending: Ending
    try {
      await this.#relayUpstream()
      ending = this.#cutEnding() ?? this.#normalEnding()
    } catch (error) {
      ending = this.#cutEnding() ?? this.#faultyEnding(this.#failure ? this.#failure.error : error)
    }
    clearTimeout(this.#drainTimer)
    upstream.socket.close(closeCodes.normal)
    try {
      await this.#book(ending)
    } catch (error) {
      deps.log.error({ err: error, requestId: call.requestId }, 'a realtime session is not booked')
    }
    const { socket } = this.#parts.client
    const told = ending.error && this.#parts.protocol.writeError(ending.error)
    if (told?.frame !== undefined && !this.#hasLeft) socket.send(told.frame)
    socket.close(ending.code, told?.reason ?? ending.reason)
  }

  async #relayUpstream(): Promise<void> {
    const { client, upstream, call } = this.#parts
    const { frames, first } = upstream
    for (let next = await first; !next.done; next = await frames.next()) {
      const frame = parseFrame(next.value)
      const ended = frame && (await this.#account(frame))
      if (!this.#hasLeft) {
        call.client.firstByteAtMs ??= performance.now()
        client.socket.send(this.#shownFrame(next.value, frame))
        if (client.socket.bufferedAmount > HIGH_WATER_BYTES) await this.#clientDrained()
      }
      if (ended && (this.#hasLeft || this.#isEnding) && !this.#meter.isAnswering) return
      if (ended && !ended.isLast) {
        await this.recheck()
        if (this.#cutOff) return
        await this.#bill.reserveNext()
      }
      if (this.#hasLeft) this.#boundDrain(next.value.length)
    }
  }

  /** Frames pass unchanged, except that an error is redacted: it may quote what the upstream was sent. */
  #shownFrame(data: Frame, frame: JsonObject | undefined): Frame {
    if (frame?.['type'] !== 'error' && frame?.['error'] === undefined) return data
    const shown = JSON.stringify(redactValue(frame, this.#redact))
    return typeof data === 'string' ? shown : Buffer.from(shown)
  }

  async #clientDrained(): Promise<void> {
    const { client } = this.#parts
    await new Promise<void>((resolve) => {
      this.#unblock = resolve
      void client.socket.drained().then(resolve)
    })
  }

  /** The charge of an answer is committed before the client is told that the answer has ended.
   *  @returns what has ended with the frame */
  async #account(frame: JsonObject): Promise<Ended | undefined> {
    const ended = this.#meter.received(frame)
    if (ended?.due) await this.#bill.charge(ended.due)
    else if (this.#meter.isAnswering) await this.#bill.hold(() => this.#meter.running())
    return ended
  }

  async #relayClient(): Promise<void> {
    const { client, upstream } = this.#parts
    const { frames } = client
    try {
      for (let next = await frames.next(); !next.done; next = await frames.next()) {
        const data = await this.#admitted(next.value)
        if (data === undefined) continue
        upstream.socket.send(data)
        if (upstream.socket.bufferedAmount > HIGH_WATER_BYTES) await upstream.socket.drained()
      }
    } catch {
      // A broken connection counts as a client that left.
    }
    this.#clientLeft()
  }

  /** @returns what goes to the upstream: the frame as it is, but for the name of the model; undefined if it may not */
  async #admitted(data: Frame): Promise<Frame | undefined> {
    const { call, protocol, upstream, deps } = this.#parts
    const { opening } = protocol
    try {
      const admitted = await admitFrame(readFrame(data), call, protocol, deps)
      const { frame } = admitted
      const model = frame && opening?.modelOf(frame)
      if (opening && model !== undefined && model !== call.requestedModel)
        throw relayErrors.invalid(
          { reason: `A session keeps its model, ${call.requestedModel}` },
          { field: opening.field },
        )
      if (frame) upstream.admit(frame)
      if (admitted.delegate) await this.#bill.delegateTo(admitted.delegate)
      if (frame) this.#meter.sent(frame)
      const isNamed = frame && opening && model !== undefined
      return isNamed ? JSON.stringify(opening.withModel(frame, upstream.model)) : data
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#refuse(ownClientError(error, call.requestId, call.language))
      return undefined
    }
  }

  /** The session goes on without the frame; where no frame could say so, it ends. */
  #refuse(error: ClientError): void {
    const { frame, reason } = this.#parts.protocol.writeError(error)
    const { socket } = this.#parts.client
    if (frame === undefined) socket.close(closeCodes.policy, reason)
    else socket.send(frame)
  }

  /** As with any call, the answer under way is read to its usage, within bounds. */
  #clientLeft(): void {
    this.#hasLeft = true
    this.#endUpstream()
    if (this.#meter.isAnswering)
      this.#drainTimer = setTimeout(() => this.#abort(), this.#parts.deps.settings.drainMs)
  }

  #boundDrain(bytes: number): void {
    this.#drainedBytes += bytes
    if (this.#drainedBytes > this.#parts.deps.settings.drainBytes) this.#abort()
  }

  #cutEnding(): Ending | undefined {
    if (!this.#cutOff || this.#hasLeft) return undefined
    const { error, rule, code } = this.#cutOff
    const shown = this.#shown(error)
    return { rule, status: shown.status, code, reason: '', error: shown }
  }

  #normalEnding(): Ending {
    const { ending } = this.#parts.upstream.socket
    const isOpen = this.#meter.isAnswering
    if (this.#hasLeft)
      return {
        rule: isOpen ? 'client_left_counted' : 'completed',
        status: isOpen ? 499 : 200,
        code: closeCodes.normal,
        reason: '',
      }
    if (this.#isEnding)
      return { rule: 'completed', status: 200, code: closeCodes.goingAway, reason: '' }
    return {
      rule: isOpen ? 'upstream_cut' : 'completed',
      status: 200,
      code: ending?.code ?? closeCodes.normal,
      reason: this.#redact(ending?.reason ?? ''),
    }
  }

  #faultyEnding(error: unknown): Ending {
    if (this.#hasLeft)
      return { rule: 'client_left_counted', status: 499, code: closeCodes.normal, reason: '' }
    const shown = this.#shown(error)
    const isMoney = error instanceof AppError && error.code.startsWith('quota.')
    return {
      rule: isMoney ? 'balance_used_up' : 'upstream_cut',
      status: shown.status,
      code: isMoney ? closeCodes.policy : closeCodes.failed,
      reason: '',
      error: shown,
    }
  }

  #shown(error: unknown): ClientError {
    const { call, attempt, deps } = this.#parts
    const { requestId, language } = call
    if (error instanceof AppError) return ownClientError(error, requestId, language)
    const { clientError, failureClass } = judgeCall(error, call, attempt.channel)
    if (failureClass !== 'local') return clientError
    const place = { requestId, channelId: attempt.channel.id }
    deps.log.error({ err: error, ...place }, 'a realtime session failed inside the gateway')
    return internalClientError(requestId, language)
  }

  /** Counts what was delivered of an answer that did not end. */
  async #book({ rule, status }: Ending): Promise<void> {
    const rest = this.#meter.rest()
    if (rest) await this.#bill.charge(rest)
    await this.#bill.close(rule, status)
  }
}
