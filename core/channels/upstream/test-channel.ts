import { CHANNEL_TEST, logType } from '../../contract/constants.ts'
import { AppError, ChannelFault } from '../../contract/errors.ts'
import type { OptionReader } from '../../contract/adapter.ts'
import type { Usage } from '../../contract/neutral.ts'
import type { Actor, ChannelService, LogService, PricingService } from '../../contract/services.ts'
import { redactorOf } from '../../secrets/redact.ts'
import type { ChannelHealth } from '../health/health.ts'
import type { ChannelProbe, ProbeResult, TestCall } from './channel-probe.ts'
import type { RoutedChannel } from '../routing/routed-channel.ts'
import { testCall } from './test-call.ts'
import { errorText } from '../../kernel/error-text.ts'

export interface TestDeps {
  probe: () => ChannelProbe
  health: ChannelHealth
  pricing: Pick<PricingService, 'snapshot' | 'receipt'>
  logs: LogService
  options: OptionReader
  /** Aborted when the process stops, or the run that makes the test. */
  closing: AbortSignal
  recordTest: ChannelService['recordTest']
}

export interface TestOutcome {
  seconds: number
  error?: { message: string; disables: boolean; key?: string | undefined }
}

const timeoutMs = 60_000

/** Makes one test call now. Records its time and writes a log row if it succeeded; charges nobody and changes no
 *  status.
 *  @throws channel.test_unsupported, before anything was sent */
export async function testChannel(
  deps: TestDeps,
  channel: RoutedChannel,
  model: string | undefined,
  actor: Actor,
  language: 'en' | 'zh' = 'en',
): Promise<TestOutcome> {
  const started = performance.now()
  let call: TestCall
  try {
    call = { ...testCall(channel, model), language }
  } catch (error) {
    if (error instanceof ChannelFault) return failed(0, error.text[language], false)
    throw error
  }
  const result = await probe(deps, channel, call)
  const responseMs = Math.round(performance.now() - started)
  if ('error' in result) {
    const { failureClass, key } = result.error
    const message = redactorOf(channel.keys).text(result.error.message)
    // A test that was cut off says nothing about its channel.
    if (deps.closing.aborted) return failed(responseMs, message, false)
    await deps.recordTest(channel.id, responseMs, message)
    const disables =
      failureClass !== undefined && deps.health.disables(channel, { failureClass, message })
    return failed(responseMs, message, disables, key)
  }
  await deps.recordTest(channel.id, responseMs)
  writeLog(deps, { channel, call, actor, usage: result.usage, responseMs })
  return { seconds: responseMs / 1000 }
}

function failed(responseMs: number, message: string, disables: boolean, key?: string): TestOutcome {
  return { seconds: responseMs / 1000, error: { message, disables, key } }
}

async function probe(deps: TestDeps, channel: RoutedChannel, call: TestCall): Promise<ProbeResult> {
  if (channel.fault !== undefined) return { error: { message: channel.fault.text[call.language] } }
  const signal = AbortSignal.any([deps.closing, AbortSignal.timeout(timeoutMs)])
  try {
    return await deps.probe().test(channel, call, signal)
  } catch (error) {
    return { error: { message: errorText(error) } }
  }
}

function writeLog(
  deps: TestDeps,
  test: {
    channel: RoutedChannel
    call: TestCall
    actor: Actor
    usage: Usage
    responseMs: number
  },
): void {
  if (!deps.options.get<boolean>('LogConsumeEnabled')) return
  const { units, isPriced } = priceOf(deps, test.call.requestedModel, test.usage)
  deps.logs.write({
    type: logType.consume,
    user_id: test.actor.id,
    username: test.actor.username,
    content: CHANNEL_TEST,
    token_name: CHANNEL_TEST,
    model_name: test.call.requestedModel,
    quota: units,
    prompt_tokens: test.usage.input,
    completion_tokens: test.usage.output,
    use_time_ms: test.responseMs,
    channel_id: test.channel.id,
    other: JSON.stringify({ op: 'channel_test', is_priced: isPriced }),
  })
}

/** What the call would have cost without a group ratio. The test must not fail because a price is missing. */
function priceOf(deps: TestDeps, model: string, usage: Usage) {
  try {
    const price = deps.pricing.snapshot(model, 'default', { acceptUnset: false, isAdmin: true })
    const { total } = deps.pricing.receipt({ ...price, groupRatio: 1 }, usage, 'test')
    return { units: total, isPriced: true }
  } catch (error) {
    if (error instanceof AppError) return { units: 0, isPriced: false }
    throw error
  }
}
