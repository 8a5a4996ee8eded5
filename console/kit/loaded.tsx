import type { ReactNode } from 'react'
import type { Data } from '../api/use-data.ts'
import { ErrorState, Loading, Stale } from './states.tsx'

/** What was asked for, as soon as it is there. It stays when asking again fails, under a line that says so: whoever types into it loses
 *  nothing, and nobody takes old figures for new ones. */
export function Loaded<T>({
  from: { data, error, refresh },
  children,
}: {
  from: Pick<Data<T>, 'data' | 'error' | 'refresh'>
  children(data: T): ReactNode
}) {
  const retry = () => void refresh()
  if (data === undefined)
    return error ? <ErrorState message={error.message} onRetry={retry} /> : <Loading />
  return (
    <>
      {error ? <Stale message={error.message} onRetry={retry} /> : null}
      {children(data)}
    </>
  )
}
