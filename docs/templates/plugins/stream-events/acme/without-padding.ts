import type { JsonObject } from 'tollgate/contract'

/** The same object where there is none: its bytes go on as they came. */
export function withoutPadding(data: JsonObject): JsonObject {
  if (!('obfuscation' in data)) return data
  const { obfuscation: _, ...rest } = data
  return rest
}
