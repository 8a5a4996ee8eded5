import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
let second = 0
let stamp = ''
let pool: Buffer = Buffer.alloc(0)
let used = 0

/** 14 digits of local time, 9 of nanoseconds, 8 random characters. Opaque to clients. */
export function newRequestId(): string {
  const nowMs = Date.now()
  const nowSecond = Math.floor(nowMs / 1000)
  if (nowSecond !== second) {
    second = nowSecond
    stamp = localStamp(new Date(nowMs))
  }
  const nanoseconds = String(
    (nowMs % 1000) * 1_000_000 + Number(process.hrtime.bigint() % 1_000_000n),
  ).padStart(9, '0')
  return stamp + nanoseconds + randomText()
}

function localStamp(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`
}

function randomText(): string {
  if (used + 8 > pool.length) {
    pool = randomBytes(4096)
    used = 0
  }
  let text = ''
  for (let index = 0; index < 8; index += 1)
    text += ALPHABET[(pool[used + index] ?? 0) % ALPHABET.length]
  used += 8
  return text
}

/** The request id under all header names that clients look for: ours, the OpenAI SDK's, the Anthropic SDK's. */
export function requestIdHeaders(requestId: string): Record<string, string> {
  return { 'x-oneapi-request-id': requestId, 'x-request-id': requestId, 'request-id': requestId }
}
