import { logType } from '../contract/constants.ts'
import { consumeText } from '../billing/consume-text.ts'
import type { LogRow, PricingService, Receipt } from '../contract/services.ts'
import type { TaskPlatform, TaskSubmit } from '../contract/task.ts'
import { noUsage } from '../dialects/neutral/usage.ts'
import { consumeDetails } from '../logs/log-details.ts'
import type { Attempt } from '../relay/attempt/attempt.ts'
import { callColumns } from '../relay/charge/call-columns.ts'
import type { AdmittedCall, CallPrice, RelayCall } from '../relay/call/relay-call.ts'
import { triedFacts } from '../relay/attempt/tried-channels.ts'

/** A task has a fixed price per action. A model ratio cannot price it, so without one the platform's own price applies. */
export function priceTask(
  call: AdmittedCall,
  submit: TaskSubmit,
  platform: TaskPlatform,
  pricing: PricingService,
): CallPrice {
  const found = pricing.snapshot(call.requestedModel, call.group, {
    acceptUnset: true,
    isAdmin: false,
  })
  const price =
    found.mode === 'price'
      ? found
      : { ...found, mode: 'price' as const, modelPrice: platform.defaultPrice(call.requestedModel) }
  const units = submit.isFree ? 0 : pricing.estimate(price, { promptTokens: 0, maxTokens: 0 })
  return { price, unitPrice: price, units, isOpenEnded: false }
}

export function taskReceipt(call: RelayCall, isFree: boolean, pricing: PricingService): Receipt {
  if (isFree) return { lines: [], total: 0, rule: 'completed' }
  return pricing.receipt(call.price, noUsage, 'completed')
}

export function consumptionRow(
  call: RelayCall,
  attempt: Attempt,
  submit: TaskSubmit,
  taskId: string,
  receipt: Receipt,
): LogRow {
  const { price } = call
  const { channel, upstreamModel } = attempt
  return {
    ...callColumns(call, channel),
    created_at: Math.floor(Date.now() / 1000),
    type: logType.consume,
    content: consumeText(price, {
      model: call.requestedModel,
      usage: noUsage,
      details: [`action ${submit.action}`, `task ${taskId}`],
    }),
    model_name: call.requestedModel,
    quota: receipt.total,
    prompt_tokens: 0,
    completion_tokens: 0,
    is_stream: false,
    other: consumeDetails({
      price,
      usage: noUsage,
      receipt,
      firstByteMs: undefined,
      tried: triedFacts(call.tried, 200),
      upstreamModel: upstreamModel === call.requestedModel ? undefined : upstreamModel,
      notes: call.notes,
    }),
  }
}
