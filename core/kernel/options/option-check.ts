// Checks a value of an option: by the schema, then by the plugin that declares it.
import type { TSchema } from '@sinclair/typebox'
import { AppError, type Text } from '../../contract/errors.ts'
import type { OptionDefinitions } from '../../contract/options.ts'
import { isWords } from '../check-values.ts'
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
  let fault: Text | undefined
  try {
    fault = faultOf(group.check?.(key, decoded))
  } catch (cause) {
    throw checkBroken({ key, owner }, { field: key, cause })
  }
  if (fault) throw checkFailed(fault, key)
  return decoded
}

/** @throws TypeError for what is neither nothing nor words */
function faultOf(given: unknown): Text | undefined {
  if (given === undefined || given === null) return undefined
  if (given instanceof Promise) given.catch(() => undefined)
  if (isWords(given)) return given
  throw new TypeError('check() gave neither nothing nor { en, zh }')
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
