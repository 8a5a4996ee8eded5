import { Alert } from '@arco-design/web-react'
import { type ReactElement, useState } from 'react'
import { ApiError } from '#console'

export interface Refusal {
  /** Shown in the form: why it was refused the last time. */
  refusal: ReactElement | null
  /** @param send a quiet call: what it is refused with is shown here */
  ask: <Result>(send: () => Promise<Result>) => Promise<Result>
}

/** Why a form was refused, until it is sent again: a message that goes by itself is missed by whoever looks at the keyboard. */
export function useRefusal(): Refusal {
  const [error, setError] = useState<ApiError>()
  return {
    refusal: error ? (
      <Alert type="error" className="entry-refusal" content={error.message} />
    ) : null,
    ask: async (send) => {
      setError(undefined)
      try {
        return await send()
      } catch (cause) {
        if (cause instanceof ApiError) setError(cause)
        throw cause
      }
    },
  }
}
