import { AppError } from '../../contract/errors.ts'
import { withTimeout } from '../with-timeout.ts'

type Blame = (error: unknown) => void

/** Whether what a plugin adds is on. What does not say so at once counts as off: a promise would be on for ever. */
export function isOn(entry: { isEnabled(): boolean }, blame: Blame): boolean {
  try {
    const given: unknown = entry.isEnabled()
    if (!(given instanceof Promise)) return Boolean(given)
    given.catch(() => undefined)
    throw new TypeError('isEnabled() gave a promise')
  } catch (error) {
    blame(error)
    return false
  }
}

interface Guarded<T> {
  ms: number
  /** Of the method, for the log. */
  name: string
  call: () => T | Promise<T>
  blame: Blame
  /** What the caller is told of a fault. */
  failed: (values: Record<string, never>, extras: { cause: unknown }) => AppError
}

/** Waits for a method of what a plugin adds. A refusal passes.
 *  @throws AppError of the plugin, or `failed` for a fault or for too long a wait */
export async function guardedCall<T>({ ms, name, call, blame, failed }: Guarded<T>): Promise<T> {
  try {
    return await withTimeout(ms, name, (async () => call())())
  } catch (error) {
    if (error instanceof AppError) throw error
    blame(error)
    throw failed({}, { cause: error })
  }
}
