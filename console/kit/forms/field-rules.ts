import { Form, type FormInstance } from '@arco-design/web-react'
import { useEffect, useRef } from 'react'
import { passwordLength } from '../../../core/contract/constants.ts'
import type { ApiError } from '../../api/client.ts'
import { textsOf, useTexts } from '../../texts/use-texts.ts'

/** A rule for the `rules` of a Field. `faultOf` returns the sentence to show, or undefined where the value is valid. */
export function fieldRule<Value = unknown>(
  faultOf: (value: Value | undefined) => string | undefined,
) {
  return {
    validator: (value: Value | undefined, answer: (fault?: string) => void) =>
      answer(faultOf(value)),
  }
}

/** A new password is as long as the server accepts it, in characters as the server counts them. An empty one passes: whether the field is
 *  required is stated by `isRequired`. */
export const passwordRule = fieldRule<string>((value = '') => {
  const { length } = Array.from(value)
  const { min, max } = passwordLength
  if (length > 0 && length < min) return textsOf()('form.passwordTooShort', { min })
  return length > max ? textsOf()('form.passwordTooLong', { max }) : undefined
})

interface RefusalFault {
  message: string
  refusal: ApiError
}

/** A refusal as the fault of a field. */
export function refusalFault(refusal: ApiError): RefusalFault {
  return { message: refusal.message, refusal }
}

/** Says the fault of a field in the language that has been switched to.
 *  @returns keeps a refusal when the field is left: the check of the value, which happens then, knows nothing of it */
export function useRefusal(name: string): () => void {
  const { form } = Form.useFormContext()
  const t = useTexts()
  const said = useRef(t)
  useEffect(() => {
    if (said.current === t) return
    said.current = t
    if (form?.getFieldError(name) && !sayRefusal(form, name))
      form.validate([name]).catch(() => undefined)
  }, [form, name, t])
  return () => {
    if (refusalOf(form, name)) window.setTimeout(sayRefusal, 0, form, name, refusalOf(form, name))
  }
}

function refusalOf(form: FormInstance | undefined, name: string): ApiError | undefined {
  return (form?.getFieldError(name) as Partial<RefusalFault> | null)?.refusal
}

/** @returns whether there is one */
function sayRefusal(
  form: FormInstance,
  name: string,
  refusal: ApiError | undefined = refusalOf(form, name),
): boolean {
  if (refusal) form.setFields({ [name]: { error: refusalFault(refusal) } })
  return refusal !== undefined
}
