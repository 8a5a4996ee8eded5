import type { FormInstance } from '@arco-design/web-react'
import { flushSync } from 'react-dom'
import { ApiError } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { focusFirstFault } from './first-fault.ts'

/** Sends a form. A refusal also stands at the field that the server names, which takes the focus. */
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
        const fault = { [error.field]: { error: { message: error.message } } }
        // Drawn at once: after an answer React takes its time, and the focus goes to what is drawn as wrong.
        flushSync(() => form.setFields(fault as never))
        focusFirstFault(container())
      }
      throw error
    }
  })
}
