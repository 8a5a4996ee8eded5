import { generateKeyPairSync } from 'node:crypto'
import type { Fixture, Step } from './fixture.ts'

/** Replaces the placeholders in every string of the channel, the client calls and the upstream's answers. */
export function fillPlaceholders(fixture: Fixture, upstreamUrl: string): Fixture {
  const fill = <T>(value: T): T => replaceDeep(value, upstreamUrl) as T
  const fillExchange = (exchange: Step['upstream'][number]) => ({
    ...exchange,
    respond: fill(exchange.respond),
  })
  return {
    ...fixture,
    channel: fill(fixture.channel),
    background: fixture.background.map(fillExchange),
    steps: fixture.steps.map((step) => ({
      ...step,
      client: fill(step.client),
      upstream: step.upstream.map(fillExchange),
    })),
  }
}

function replaceDeep(value: unknown, upstreamUrl: string): unknown {
  if (typeof value === 'string') return replaceText(value, upstreamUrl)
  if (Array.isArray(value)) return value.map((inner) => replaceDeep(inner, upstreamUrl))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceDeep(inner, upstreamUrl)]),
  )
}

function replaceText(text: string, upstreamUrl: string): string {
  if (!text.includes('{{')) return text
  return text
    .replaceAll('{{UPSTREAM}}', upstreamUrl)
    .replaceAll('{{TEST_RSA_PRIVATE_KEY}}', () => JSON.stringify(testKey()).slice(1, -1))
}

let cachedKey: string | undefined

/** A throw-away RSA-2048 key in PKCS#8 PEM, made once a process. */
function testKey(): string {
  cachedKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string
  return cachedKey
}
