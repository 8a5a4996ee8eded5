import { ApiError, api } from '../../api/client.ts'
import { type FieldSchema, optionWire, toWire } from './schema.ts'

type Values = Readonly<Record<string, unknown>>

/** Sends the changed options, one call for each, with the wire strings that were shown before. Resolves to why
 *  those failed that did, by key. */
export async function saveOptions(
  schema: FieldSchema,
  keys: readonly string[],
  values: Values,
  { secretsSet, shown }: { secretsSet: readonly string[]; shown: Readonly<Record<string, string>> },
): Promise<Record<string, unknown>> {
  const failed: Record<string, unknown> = {}
  for (const { key, secrets } of changesOf(schema, keys, values, secretsSet)) {
    const others = Object.fromEntries(secrets.map((secret) => [secret, toWire(values[secret])]))
    const body = {
      key,
      value: optionWire(schema.properties?.[key] ?? {}, values[key]),
      shown: shown[key],
      ...(secrets.length > 0 ? { with: others } : {}),
    }
    try {
      await api.put('/api/option/', body, { isQuiet: true })
    } catch (error) {
      for (const name of [key, ...secrets]) failed[name] = error
      if (error instanceof ApiError && error.field !== undefined) failed[error.field] = error
    }
  }
  return failed
}

/** An address and the secrets bound to it are sent in one call. Emptying the address removes its secrets, which are
 *  useless without it. */
function changesOf(
  schema: FieldSchema,
  keys: readonly string[],
  values: Values,
  secretsSet: readonly string[],
) {
  const fields = Object.entries(schema.properties ?? {})
  const hostsOf = (key: string) => schema.properties?.[key]?.['x-ui']?.boundTo ?? []
  const boundTo = (host: string) =>
    fields
      .filter(([, field]) => field['x-ui']?.boundTo?.includes(host))
      .map(([secret]) => secret)
      .filter(
        (secret) =>
          keys.includes(secret) || (secretsSet.includes(secret) && isAllBlank(hostsOf(secret))),
      )
  const isAllBlank = (hosts: readonly string[]) =>
    hosts.every((host) => toWire(values[host]) === '')
  const isSentAlong = (secret: string) => hostsOf(secret).some((host) => keys.includes(host))
  return keys
    .filter((key) => !isSentAlong(key))
    .toSorted((a, b) => Number(values[a] === true) - Number(values[b] === true))
    .map((key) => ({ key, secrets: boundTo(key) }))
}
