// One realtime session of a client: finds an upstream that accepts it, then runs until either side ends.
import type { UpstreamSocket } from '../../contract/http-client.ts'
import type { ClientError } from '../../contract/dialect.ts'
import { LeftUnsent, type Attempt } from '../attempt/attempt.ts'
import { closeCodes } from '../call/close-codes.ts'
import { errorFrame } from './realtime-frames.ts'
import { RealtimeRun } from './realtime-run.ts'
import { openUpstream } from './realtime-upstream.ts'
import type { SessionStep } from '../call/call-kind.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { SessionDeps } from '../call/relay-deps.ts'

export class RealtimeSession implements SessionStep {
  readonly #client: UpstreamSocket
  readonly #protocols: readonly string[]
  readonly #deps: SessionDeps
  #run: RealtimeRun | undefined
  #isEnding = false

  constructor(client: UpstreamSocket, protocols: readonly string[], deps: SessionDeps) {
    this.#client = client
    this.#protocols = protocols
    this.#deps = deps
  }

  async attempt(call: RelayCall, attempt: Attempt): Promise<void> {
    this.#checkClient()
    const upstream = await openUpstream(attempt, this.#protocols)
    try {
      this.#checkClient()
    } catch (error) {
      upstream.socket.close(closeCodes.normal)
      throw error
    }
    this.#run = new RealtimeRun({ call, attempt, upstream, client: this.#client, deps: this.#deps })
    if (this.#isEnding) this.#run.end()
  }

  /** Does not ask the upstream on behalf of a client that has left. @throws LeftUnsent */
  #checkClient(): void {
    if (this.#client.ending) throw new LeftUnsent()
  }

  /** Resolves when the session has ended and is charged. */
  async ended(): Promise<void> {
    await this.#run?.ended
  }

  refuse(error: ClientError): void {
    this.#client.send(errorFrame(error))
    const code = error.status < 500 ? closeCodes.policy : closeCodes.failed
    this.#client.close(code, String(error.code ?? ''))
  }

  /** The process is stopping: the answer under way may still end. */
  end(): void {
    this.#isEnding = true
    this.#run?.end()
  }

  /** Ends at once; what was delivered is charged. */
  stop(): void {
    if (this.#run) this.#run.stop()
    else this.#client.close(closeCodes.goingAway)
  }

  async recheck(): Promise<void> {
    await this.#run?.recheck()
  }
}
