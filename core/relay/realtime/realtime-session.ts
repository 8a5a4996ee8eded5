// One realtime session of a client: finds an upstream that accepts it, then runs until either side ends.
import type { UpstreamSocket } from '../../contract/http-client.ts'
import type { ClientError } from '../../contract/dialect.ts'
import { LeftUnsent, type Attempt } from '../attempt/attempt.ts'
import { closeCodes } from '../call/close-codes.ts'
import { RealtimeRun, type SessionClient } from './realtime-run.ts'
import { openUpstream, type SessionAsk } from './realtime-upstream.ts'
import type { SessionStep } from '../call/call-kind.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { SessionDeps } from '../call/relay-deps.ts'

export class RealtimeSession implements SessionStep {
  readonly #client: SessionClient
  readonly #ask: SessionAsk
  readonly #deps: SessionDeps
  #run: RealtimeRun | undefined
  #isEnding = false

  constructor(socket: UpstreamSocket, ask: SessionAsk, deps: SessionDeps) {
    this.#client = { socket, frames: socket.messages[Symbol.asyncIterator]() }
    this.#ask = ask
    this.#deps = deps
  }

  async attempt(call: RelayCall, attempt: Attempt): Promise<void> {
    this.#checkClient()
    const upstream = await openUpstream(attempt, this.#ask)
    try {
      this.#checkClient()
    } catch (error) {
      upstream.socket.close(closeCodes.normal)
      throw error
    }
    this.#run = new RealtimeRun({
      ...this.#ask,
      call,
      attempt,
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
    const frame = this.#ask.protocol.errorFrame(error)
    if (frame !== undefined) socket.send(frame)
    const code = error.status < 500 ? closeCodes.policy : closeCodes.failed
    socket.close(code, String(error.code ?? ''))
  }

  /** The process is stopping: the answer under way may still end. */
  end(): void {
    this.#isEnding = true
    this.#run?.end()
  }

  /** Ends at once; what was delivered is charged. */
  stop(): void {
    if (this.#run) this.#run.stop()
    else this.#client.socket.close(closeCodes.goingAway)
  }

  async recheck(): Promise<void> {
    await this.#run?.recheck()
  }
}
