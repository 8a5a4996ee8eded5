import { Form } from '@arco-design/web-react'
import { useEffect } from 'react'
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

/** Says the fault of a field in the language that has been switched to. */
export function useFaultInLanguage(name: string): void {
  const { form } = Form.useFormContext()
  const t = useTexts()
  useEffect(() => {
    const fault = form?.getFieldError(name) as Partial<RefusalFault> | null | undefined
    if (fault?.refusal) form.setFields({ [name]: { error: refusalFault(fault.refusal) } } as never)
    else if (fault) form.validate([name]).catch(() => undefined)
  }, [form, name, t])
}
