// Checks a value of an option: by the schema, then by the plugin that declares it.
import type { TSchema } from '@sinclair/typebox'
import { AppError } from '../../contract/errors.ts'
import type { OptionDefinitions } from '../../contract/options.ts'
import { decodeOption } from './option-codec.ts'
import { checkBroken, checkFailed, preconditionFailed } from './option-refusals.ts'

export interface Definition {
  schema: TSchema
  owner: string
  group: OptionDefinitions
}

/** @throws options.invalid_value */
export function soundValue(
  key: string,
  wire: string,
  { schema, group, owner }: Definition,
): unknown {
  const decoded = decodeOption(key, wire, schema)
  let fault: { en: string; zh: string } | undefined
  try {
    fault = group.check?.(key, decoded)
  } catch (cause) {
    throw checkBroken({ key, owner }, { field: key, cause })
  }
  if (fault) throw checkFailed(fault, key)
  return decoded
}

/** For an option that is switched on. @throws options.precondition */
export function checkPreconditions(
  key: string,
  { group }: Definition,
  get: (key: string) => unknown,
): void {
  for (const { needs } of group.preconditions.filter((one) => one.key === key)) {
    const missing = needs.filter((need) => !get(need))
    if (missing.length > 0)
      throw preconditionFailed({ key, needs: missing.join(', ') }, { field: key })
  }
}

export function reasonOf(fault: unknown, language: 'en' | 'zh'): string {
  return fault instanceof AppError ? fault.messageIn(language) : String(fault)
}
