// One submit: row first, then the upstream, then the charge. How a crash at any point loses neither money nor task:
//
// 1. The row is written before the upstream is called, without a charge (`quota` 0). The money is only reserved, by a
//    lease that a dead process does not keep.
// 2. An accepted submit is one group commit of the ledger: charge, consumption row, and the row's upstream id together
//    with its `quota`. The client is answered after that commit, whatever BILLING_DURABILITY says.
//
// A crash before 2 leaves an open row without an upstream id: the poller fails it, and there is nothing to give back.
// A crash after 2 leaves a whole task: the poller follows it to its end. `quota` is thus at any time what was charged
// for the row, and a failure gives back just that.
import type { AttemptContext } from '../contract/adapter.ts'
import { ChannelFault } from '../contract/errors.ts'
import type { TaskAnswer, TaskPlatform, TaskSubmit } from '../contract/task.ts'
import { maskMessage } from '../upstream-failures/mask-message.ts'
import { redactorOf, redactValue } from '../secrets/redact.ts'
import { send, type Attempt } from '../relay/attempt/attempt.ts'
import { readBytes } from '../relay/attempt/read-answer.ts'
import { sendWhole } from '../relay/chat/answer-whole.ts'
import type { TaskStep } from '../relay/call/call-kind.ts'
import type { AdmittedCall, CallPrice, RelayCall } from '../relay/call/relay-call.ts'
import type { AnswerDeps } from '../relay/call/relay-deps.ts'
import { noUsage } from '../dialects/neutral/usage.ts'
import { hookAddress, hookSecretLength, withoutHookSecrets } from './hook-address.ts'
import { withSoundTimes } from './sound-times.ts'
import { consumptionRow, priceTask, taskReceipt } from './task-charge.ts'
import type { TaskDeps } from './task-deps.ts'
import { keyHashOf } from './task-key.ts'
import { acceptedStatements } from './accepted-task-sql.ts'
import { unreadable } from '../dialects/neutral/parsed-event.ts'
import { boundedJson } from '../wire/bounded-json.ts'
import { errorText } from '../kernel/error-text.ts'

const submitTimeoutMs = 60_000
const largestAnswerBytes = 10 * 1_048_576
const fileKeyLength = 22
/** Those of upstreams have up to forty characters. PostgreSQL refuses what is too long for its index, after the upstream has begun the work. */
const longestTaskId = 255

/** What a submit needs of the relay to price, release and report. */
type SubmitDeps = Pick<AnswerDeps, 'pricing' | 'ledger' | 'health' | 'traces'>

export class TaskSubmission implements TaskStep {
  readonly isRetryable: boolean
  readonly writeError: TaskPlatform['writeError']
  readonly #platform: TaskPlatform
  readonly #submit: TaskSubmit
  readonly #deps: TaskDeps
  readonly #relay: SubmitDeps
  /** Set as long as the row has neither an end nor a charge. */
  #rowId: number | undefined
  #hookSecret = ''
  #lastFault = ''

  constructor(platform: TaskPlatform, submit: TaskSubmit, deps: TaskDeps, relay: SubmitDeps) {
    this.#platform = platform
    this.#submit = submit
    this.#deps = deps
    this.#relay = relay
    this.isRetryable = platform.isRetryable === true
    this.writeError = platform.writeError
  }

  price(call: AdmittedCall): CallPrice {
    return priceTask(call, this.#submit, this.#platform, this.#relay.pricing)
  }

  async attempt(call: RelayCall, attempt: Attempt): Promise<void> {
    const { channel } = attempt
    if (!this.#platform.channelTypes?.includes(channel.type))
      throw new ChannelFault('api_not_implemented', {
        en: 'The channel type takes no such tasks.',
        zh: '此类型的渠道不支持此类任务。',
      })
    await this.#begin(call, channel.id)
    try {
      const answer = await this.#ask(attempt)
      if (answer.isAccepted) await this.#accept(call, attempt, answer)
      else await this.#refuse(call, attempt, answer)
      sendWhole(call, JSON.stringify(answer.body), {})
    } catch (error) {
      const message = errorText(error)
      this.#lastFault = maskMessage(redactorOf(channel.secrets).text(message))
      throw error
    }
  }

  /** Ends the row of a submit that no channel accepted. */
  async end(): Promise<void> {
    if (this.#rowId === undefined) return
    await this.#deps.store.endUncharged(this.#rowId, { reason: this.#lastFault })
  }

  /** Writes one row for all attempts. */
  async #begin(call: RelayCall, channelId: number): Promise<void> {
    if (this.#rowId !== undefined) return
    const { secrets } = this.#deps
    if (this.#submit.hook !== undefined) this.#hookSecret = secrets.random(hookSecretLength)
    this.#rowId = await this.#deps.store.begin({
      platform: this.#platform,
      submit: this.#submit,
      userId: call.identity.userId,
      tokenId: call.identity.tokenId,
      channelId,
      requestId: call.requestId,
      fileKey: secrets.random(fileKeyLength),
      hookHash: this.#hookSecret === '' ? '' : secrets.lookup('code', this.#hookSecret),
    })
  }

  async #ask(attempt: Attempt): Promise<TaskAnswer> {
    const context: AttemptContext = {
      ...attempt.context,
      httpOptions: {
        ...attempt.context.httpOptions,
        firstByteTimeoutMs: this.#platform.submitTimeoutMs ?? submitTimeoutMs,
      },
    }
    const hookUrl = hookAddress(this.#platform, this.#deps.options, this.#hookSecret)
    const request = this.#platform.send(this.#submit, { ...context, hookUrl })
    const response = await send({ ...attempt, context }, request)
    const bytes = await readBytes(response, largestAnswerBytes, { share: attempt.share })
    const said = redactValue(parsed(bytes), withoutHookSecrets(this.#platform))
    const answer = this.#platform.readAnswer(said, this.#submit)
    if (answer.isAccepted && answer.taskId.length > longestTaskId) throw unreadable()
    const { known, text } = redactorOf(attempt.channel.secrets)
    return redactValue(answer, answer.isAccepted ? known : text)
  }

  async #accept(
    call: RelayCall,
    attempt: Attempt,
    answer: Extract<TaskAnswer, { isAccepted: true }>,
  ): Promise<void> {
    const isFree = this.#submit.isFree === true || answer.isFree === true
    const receipt = taskReceipt(call, isFree, this.#relay.pricing)
    const channelId = attempt.channel.id
    const settlingAtMs = performance.now()
    const isLogged = receipt.total > 0 && this.#deps.options.get<boolean>('LogConsumeEnabled')
    await this.#deps.ledger.settle(call.reservation, {
      units: receipt.total,
      channelId,
      log: isLogged
        ? consumptionRow(call, attempt, this.#submit, answer.taskId, receipt)
        : undefined,
      alongside: acceptedStatements({
        id: this.#rowId ?? 0,
        requestId: call.requestId,
        submit: this.#submit,
        channelId,
        tokenId: call.identity.tokenId,
        keyHash: keyHashOf(attempt.channel, attempt.context.channel.key, this.#deps.secrets),
        taskId: answer.taskId,
        units: receipt.total,
        code: answer.code ?? 0,
        report: withSoundTimes(answer.report ?? { state: 'open' }),
      }),
    })
    this.#rowId = undefined
    this.#deps.events.emit('relay.settled', {
      requestId: call.requestId,
      userId: call.identity.userId,
      tokenId: call.identity.tokenId,
      channelId,
      model: call.requestedModel,
      group: call.group,
      units: receipt.total,
      promptTokens: 0,
      completionTokens: 0,
      status: 200,
      durationMs: Math.round(performance.now() - call.startedAtMs),
    })
    const { total: units, rule } = receipt
    this.#relay.traces?.settled(call, {
      attempt,
      usage: noUsage,
      rule,
      status: 200,
      units,
      settlingAtMs,
    })
  }

  /** The upstream has answered without accepting the task: the client reads the reason and pays nothing. */
  async #refuse(
    call: RelayCall,
    attempt: Attempt,
    answer: Extract<TaskAnswer, { isAccepted: false }>,
  ): Promise<void> {
    const { channel, context } = attempt
    await this.#relay.ledger.release(call.reservation)
    if (this.#rowId !== undefined) await this.#deps.store.endUncharged(this.#rowId, answer)
    this.#rowId = undefined
    const end = { attempt, usage: noUsage, rule: 'refused', status: 200, units: 0 }
    this.#relay.traces?.settled(call, { ...end, settlingAtMs: undefined })
    if (answer.channelFault !== undefined)
      void this.#relay.health.failed(channel, {
        failureClass: 'invalid-credentials',
        message: answer.channelFault,
        key: context.channel.key,
      })
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return boundedJson(bytes.toString('utf8'))
  } catch (cause) {
    throw unreadable(cause)
  }
}
