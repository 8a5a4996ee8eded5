// The log of a month: more calls by day and on working days, growing, with a few failures.
import { seededRandom } from '../seeded-random.ts'

export interface LogOwner {
  id: number
  username: string
  group: string
}

/** A row of `logs` by its columns. */
export interface MadeLog {
  user_id: number
  username: string
  created_at: number
  type: number
  content: string
  token_name: string
  token_id: number
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  use_time_ms: number
  is_stream: number
  channel_id: number
  group: string
  other: string
  request_id: string
}

export interface LogInput {
  count: number
  owners: readonly LogOwner[]
  channelIds: readonly number[]
  nowSeconds: number
}

const logTypes = { topup: 1, consume: 2, manage: 3, system: 4, error: 5 } as const
const days = 30
const daySeconds = 86_400
/** The units that an input token costs at ratio 1; an output token costs a multiple of it. */
const models = [
  { name: 'gpt-4o-mini', ratio: 0.075, completion: 4, share: 34 },
  { name: 'gpt-4o', ratio: 1.25, completion: 4, share: 14 },
  { name: 'claude-sonnet-4-5', ratio: 1.5, completion: 5, share: 18 },
  { name: 'gemini-2.5-flash', ratio: 0.15, completion: 8.333333, share: 12 },
  { name: 'deepseek-chat', ratio: 0.14, completion: 1.5, share: 12 },
  { name: 'qwen-plus', ratio: 0.2, completion: 3, share: 7 },
  { name: 'mistral-large-latest', ratio: 1, completion: 3, share: 3 },
] as const
/** Above the ids that tests use; these tokens no longer exist. */
const seededTokenId = 1_000_000
const tokenNames = ['production', 'staging', 'laptop', '文档机器人']

export function lifelikeLogs({ count, owners, channelIds, nowSeconds }: LogInput): MadeLog[] {
  const next = seededRandom(42)
  const times = Array.from({ length: count }, () => timeBefore(nowSeconds, next)).sort(
    (a, b) => a - b,
  )
  return times.map((time, at) => {
    // A few customers make most of the calls.
    const owner = owners[Math.floor(next() ** 2.5 * owners.length)] as LogOwner
    const channelId = channelIds[Math.floor(next() ** 2 * channelIds.length)] ?? 0
    const base = { ...blankLog(owner, time), request_id: `lifelike-${at}` }
    const kind = next()
    if (kind < 0.012) return topUp(base, next)
    if (kind < 0.05) return failure(base, channelId, next)
    return call(base, channelId, next)
  })
}

/** More calls towards today, more by day than by night, and half of them at weekends. */
function timeBefore(nowSeconds: number, next: () => number): number {
  for (;;) {
    const time = nowSeconds - Math.floor(next() ** 1.3 * days * daySeconds)
    const date = new Date(time * 1000)
    const hour = date.getHours()
    const byHour = 0.12 + 0.88 * Math.max(0, Math.sin(((hour - 6) / 17) * Math.PI))
    const byDay = [0, 6].includes(date.getDay()) ? 0.5 : 1
    if (next() < byHour * byDay) return time
  }
}

function blankLog(owner: LogOwner, time: number): MadeLog {
  return {
    user_id: owner.id,
    username: owner.username,
    created_at: time,
    type: logTypes.consume,
    content: '',
    token_name: '',
    token_id: 0,
    model_name: '',
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    use_time_ms: 0,
    is_stream: 0,
    channel_id: 0,
    group: owner.group,
    other: '',
    request_id: '',
  }
}

function topUp(base: MadeLog, next: () => number): MadeLog {
  const dollars = [5, 10, 20, 50][Math.floor(next() * 4)] ?? 5
  return { ...base, type: logTypes.topup, content: `Redeemed a code for $${dollars}.00` }
}

function modelBy(next: () => number): (typeof models)[number] {
  let left = next() * models.reduce((sum, { share }) => sum + share, 0)
  return models.find(({ share }) => (left -= share) < 0) ?? models[0]
}

function tokenBy(next: () => number): string {
  return tokenNames[Math.floor(next() * tokenNames.length)] ?? ''
}

function call(base: MadeLog, channelId: number, next: () => number): MadeLog {
  const model = modelBy(next)
  const prompt = Math.round(40 + next() ** 3 * 9_000)
  const completion = Math.round(10 + next() ** 2 * 1_600)
  const outPrice = model.ratio * model.completion
  const total = Math.round(model.ratio * prompt + outPrice * completion)
  const firstByteMs = Math.round(180 + next() ** 3 * 4_000)
  const durationMs = firstByteMs + Math.round(completion * (6 + next() * 14))
  const line = (part: string, tokens: number, price: number) => ({
    part,
    count: tokens,
    unit_price: String(Number(price.toFixed(6))),
    amount: String(Number((price * tokens).toFixed(6))),
  })
  return {
    ...base,
    token_name: tokenBy(next),
    token_id: seededTokenId,
    model_name: model.name,
    quota: total,
    prompt_tokens: prompt,
    completion_tokens: completion,
    use_time_ms: durationMs,
    is_stream: next() < 0.7 ? 1 : 0,
    channel_id: channelId,
    other: JSON.stringify({
      model_ratio: model.ratio,
      group_ratio: 1,
      completion_ratio: model.completion,
      model_price: -1,
      cache_tokens: 0,
      cache_ratio: 1,
      frt: firstByteMs,
      receipt: {
        lines: [line('input', prompt, model.ratio), line('output', completion, outPrice)],
        total,
      },
      admin_info: {
        use_channel: [String(channelId)],
        attempts: [
          {
            channel_id: channelId,
            status: 200,
            started_at_ms: base.created_at * 1000 - durationMs,
            duration_ms: durationMs,
          },
        ],
      },
    }),
  }
}

const failures = [
  {
    status: 429,
    failureClass: 'throttled',
    type: 'rate_limit_error',
    text: 'Too many requests to the provider. Try again later.',
  },
  {
    status: 503,
    failureClass: 'upstream',
    type: 'upstream_error',
    text: 'The provider is overloaded.',
  },
  {
    status: 400,
    failureClass: 'bad-request',
    type: 'invalid_request_error',
    text: 'max_tokens is larger than the model allows.',
  },
] as const

function failure(base: MadeLog, channelId: number, next: () => number): MadeLog {
  const fault = failures[Math.floor(next() * failures.length)] ?? failures[0]
  const durationMs = Math.round(90 + next() * 900)
  return {
    ...base,
    type: logTypes.error,
    token_name: tokenBy(next),
    model_name: modelBy(next).name,
    content: fault.text,
    use_time_ms: durationMs,
    channel_id: channelId,
    other: JSON.stringify({
      request_path: '/v1/chat/completions',
      error_type: fault.type,
      error_code: null,
      status_code: fault.status,
      channel_id: channelId,
      admin_info: {
        use_channel: [String(channelId)],
        attempts: [
          {
            channel_id: channelId,
            status: fault.status,
            failure_class: fault.failureClass,
            started_at_ms: base.created_at * 1000 - durationMs,
            duration_ms: durationMs,
          },
        ],
      },
    }),
  }
}
