// One realtime session of a client: finds an upstream that accepts it, then runs until either side ends.
import type { UpstreamSocket } from '../../contract/http-client.ts'
import type { ClientError } from '../../contract/dialect.ts'
import type { JsonObject } from '../../contract/json.ts'
import { LeftUnsent, type Attempt } from '../attempt/attempt.ts'
import { closeCodes } from '../call/close-codes.ts'
import type { SessionStep } from '../call/call-kind.ts'
import type { LiveSession } from '../call/live-sessions.ts'
import type { AdmittedCall, RelayCall } from '../call/relay-call.ts'
import type { SessionDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { admitFrame, readFrame, type AdmittedFrame } from './admit-frame.ts'
import { within } from './frames.ts'
import { checkModelName } from '../intake/model-name.ts'
import type { SessionProtocol } from './protocols/session-protocol.ts'
import { holdAnswer } from './realtime-bill.ts'
import { RealtimeRun, type SessionClient } from './realtime-run.ts'
import { openUpstream } from './realtime-upstream.ts'

/** How long a client may take to name the model, where it does so in its first message. */
const OPENING_MS = 30_000

export class RealtimeSession implements SessionStep, LiveSession {
  readonly #client: SessionClient
  readonly #protocol: SessionProtocol
  /** Offered by the client. */
  readonly #subprotocols: readonly string[]
  readonly #deps: SessionDeps
  /** The client's first message, if it names the model. */
  #first: JsonObject | undefined
  #opening: AdmittedFrame | undefined
  #run: RealtimeRun | undefined
  #isWaiting = false
  #isEnding = false

  constructor(
    socket: UpstreamSocket,
    { protocol, subprotocols }: { protocol: SessionProtocol; subprotocols: readonly string[] },
    deps: SessionDeps,
  ) {
    this.#client = { socket, frames: socket.messages[Symbol.asyncIterator]() }
    this.#protocol = protocol
    this.#subprotocols = subprotocols
    this.#deps = deps
  }

  /** Waits for the client's first message.
   *  @returns the model that it names; undefined if the client has left
   *  @throws relay.invalid_request if it names none, or does not come
   *  @throws request.malformed_json */
  async modelOfFirst(): Promise<string | undefined> {
    const { opening } = this.#protocol
    if (!opening) throw new Error('a protocol whose first message names no model')
    if (opening.greeting !== undefined) this.#client.socket.send(opening.greeting)
    this.#isWaiting = true
    if (this.#isEnding) this.end()
    const next = await within(OPENING_MS, this.#client.frames.next())
    this.#isWaiting = false
    if (next?.done) return undefined
    this.#first = next && readFrame(next.value)
    const model = this.#first && opening.modelOf(this.#first)
    if (model !== undefined) {
      checkModelName(model)
      return model
    }
    const { field } = opening
    throw relayErrors.invalid({ reason: `The first message must name ${field}` }, { field })
  }

  /** Checks what the first message says to the model. @throws AppError */
  async admitFirst(call: AdmittedCall): Promise<void> {
    if (this.#first === undefined) return
    this.#opening = await admitFrame(this.#first, call, this.#protocol, this.#deps)
    this.#first = undefined
  }

  async attempt(call: RelayCall, attempt: Attempt): Promise<void> {
    this.#checkClient()
    const delegate = this.#opening?.delegate
    if (delegate) await holdAnswer(delegate, call.reservation, this.#deps)
    const upstream = await openUpstream(attempt, {
      protocol: this.#protocol,
      subprotocols: this.#subprotocols,
      opening: this.#opening?.frame,
    })
    try {
      this.#checkClient()
    } catch (error) {
      upstream.socket.close(closeCodes.normal)
      throw error
    }
    this.#run = new RealtimeRun({
      call,
      attempt,
      protocol: this.#protocol,
      opening: this.#opening,
      upstream,
      client: this.#client,
      deps: this.#deps,
    })
    if (this.#isEnding) this.#run.end()
  }

  /** Does not ask the upstream on behalf of a client that has left. @throws LeftUnsent */
  #checkClient(): void {
    if (this.#client.socket.ending) throw new LeftUnsent()
  }

  /** Resolves when the session has ended and is charged. */
  async ended(): Promise<void> {
    await this.#run?.ended
  }

  refuse(error: ClientError): void {
    const { socket } = this.#client
    const { frame, reason } = this.#protocol.writeError(error)
    if (frame !== undefined) socket.send(frame)
    socket.close(error.status < 500 ? closeCodes.policy : closeCodes.failed, reason)
  }

  /** The process is stopping: the answer under way may still end. */
  end(): void {
    this.#isEnding = true
    if (this.#isWaiting) this.#client.socket.close(closeCodes.goingAway)
    this.#run?.end()
  }

  /** Ends at once; what was delivered is charged. */
  stop(): void {
    if (this.#run) this.#run.stop()
    else this.#client.socket.close(closeCodes.goingAway)
  }

  async recheck(): Promise<void> {
    await this.#run?.tick()
  }
}
