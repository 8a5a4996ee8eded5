import type { ReactNode } from 'react'
import { reportError } from '../../api/use-action.ts'
import { type Confirmation, confirm } from '../confirm.tsx'

/** Something that can be done with a row or a selection. */
export interface Action {
  /** A verb. */
  label: string
  icon?: ReactNode
  isDanger?: boolean
  isDisabled?: boolean
  /** Asked before `run`. */
  confirm?: Confirmation
  run(): unknown
}

export async function runAction(action: Action): Promise<void> {
  if (action.confirm && !(await confirm(action.confirm))) return
  try {
    await action.run()
  } catch (error) {
    reportError(error)
  }
}
