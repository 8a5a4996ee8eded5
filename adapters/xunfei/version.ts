import type { AttemptContext } from '#core'

/** An API version: its path, the name of its models, and their abilities. */
export interface SparkVersion {
  path: string
  domain: string
  hasSystemRole: boolean
  hasFunctions: boolean
}

const PLAIN = { hasSystemRole: false, hasFunctions: false }
const PRO_128K = { path: '/chat/pro-128k', domain: 'pro-128k', ...PLAIN }
const MAX_32K = {
  path: '/chat/max-32k',
  domain: 'max-32k',
  hasSystemRole: true,
  hasFunctions: false,
}

const VERSIONS: ReadonlyMap<string, SparkVersion> = new Map([
  ['v1.1', { path: '/v1.1/chat', domain: 'lite', ...PLAIN }],
  ['v2.1', { path: '/v2.1/chat', domain: 'generalv2', ...PLAIN }],
  ['v3.1', { path: '/v3.1/chat', domain: 'generalv3', hasSystemRole: false, hasFunctions: true }],
  ['v3.5', { path: '/v3.5/chat', domain: 'generalv3.5', hasSystemRole: true, hasFunctions: true }],
  ['v4.0', { path: '/v4.0/chat', domain: '4.0Ultra', hasSystemRole: true, hasFunctions: true }],
  ['v3.1-128K', PRO_128K],
  ['v3.5-32K', MAX_32K],
])

const NAMES: ReadonlyMap<string, string> = new Map([
  ['Spark-Lite', 'v1.1'],
  ['Spark-Pro', 'v3.1'],
  ['Spark-Pro-128K', 'v3.1-128K'],
  ['Spark-Max', 'v3.5'],
  ['Spark-Max-32K', 'v3.5-32K'],
  ['Spark-4.0-Ultra', 'v4.0'],
])

/** The version in the model's name is what is paid for. A name without one leaves it to the client's query, and that to the channel. */
export function versionOf({
  model,
  channel,
  clientQuery,
}: Pick<AttemptContext, 'model' | 'channel' | 'clientQuery'>): SparkVersion {
  const version = versionInName(model) ?? (clientQuery['api-version'] || channel.other || 'v1.1')
  return (
    VERSIONS.get(version) ?? {
      path: `/${encodeURIComponent(version)}/chat`,
      domain: `general${version}`,
      ...PLAIN,
    }
  )
}

function versionInName(model: string): string | undefined {
  return NAMES.get(model) ?? /^[^-]+-(v\d.*)$/.exec(model)?.[1]
}
