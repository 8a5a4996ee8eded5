import type { FormInstance } from '@arco-design/web-react'
import { flushSync } from 'react-dom'
import { ApiError } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { focusFirstFault } from './first-fault.ts'
import { refusalFault } from './field-rules.ts'

/** Sends a form. A refusal is also shown at the field that the server names, which gets the focus. */
export function useFormAction<Values extends object>(
  form: FormInstance<Values>,
  container: () => HTMLElement | null,
  send: (values: Values) => Promise<unknown>,
) {
  return useAction(async (values: Values) => {
    try {
      await send(values)
    } catch (error) {
      if (error instanceof ApiError && error.field !== undefined) {
        const fault = { [error.field]: { error: refusalFault(error) } }
        // Renders at once: React may otherwise render later, and the focus goes to the field that is drawn as
        // invalid.
        flushSync(() => form.setFields(fault as never))
        focusFirstFault(container())
      }
      throw error
    }
  })
}
