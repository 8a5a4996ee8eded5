import type { FormPart } from '../../contract/http-client.ts'
import type { JsonObject } from '../../contract/json.ts'

/** The text fields of a form by name, as a JSON body would hold them. */
export function formFields(form: readonly FormPart[]): JsonObject {
  return Object.fromEntries(
    form.flatMap((part) => ('value' in part ? [[part.name, part.value]] : [])),
  )
}
