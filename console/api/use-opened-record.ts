import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from './client.ts'
import { READ_LIMIT_MS } from './time-limit.ts'
import { messageOf } from './use-action.ts'

export interface OpenedRecord<Row, Form> {
  record?: Row
  form?: Form
  /** Why it could not be read; `retry` reads it again. */
  error?: string
  retry(): void
}

/** What a drawer edits, read once when it opens: a refresh of the list behind it must not replace what is typed.
 *  @param path undefined while nothing is open
 *  @param formOf declared outside of the component, so that it stays the same */
export function useOpenedRecord<Row, Form>(
  path: string | undefined,
  formOf: (row: Row) => Form,
): OpenedRecord<Row, Form> {
  const [read, setRead] = useState<{ record?: Row; form?: Form; fault?: unknown }>({})
  const latest = useRef<AbortController>(undefined)
  const load = useCallback(() => {
    if (path === undefined) return
    const reading = new AbortController()
    latest.current = reading
    api
      .get<Row>(path, { isQuiet: true, signal: reading.signal, limitMs: READ_LIMIT_MS })
      .then((record) => setRead({ record, form: formOf(record) }))
      .catch((fault: unknown) => {
        if (!reading.signal.aborted) setRead({ fault })
      })
  }, [path, formOf])
  useEffect(() => {
    load()
    return () => {
      latest.current?.abort()
      setRead({})
    }
  }, [load])
  const retry = () => {
    setRead({})
    load()
  }
  const { fault, ...opened } = read
  return { ...opened, ...(fault === undefined ? {} : { error: messageOf(fault) }), retry }
}
