import type { FormPart } from '../../contract/adapter.ts'
import type { JsonObject } from '../../contract/json.ts'

/** The texts of a form by their names, as a JSON body would have them. */
export function formFields(form: readonly FormPart[]): JsonObject {
  return Object.fromEntries(
    form.flatMap((part) => ('value' in part ? [[part.name, part.value]] : [])),
  )
}
