// Who is let in at the door of a call may be let in no more when the call writes: each transaction that it begins asks again, inside.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from 'sequelize'

/** Refuses by throwing; what it reads it locks, so that whatever ends the admission waits for the transaction, or is seen by it. */
export type Admission = (transaction: Transaction) => Promise<void>

interface AdmittedCall {
  admission: Admission
  /** Over with its answer: what a call leaves running is the gateway's own work. */
  isOpen: boolean
}

const calls = new AsyncLocalStorage<AdmittedCall>()

export function admittedCall(admission: Admission): {
  run(work: () => void): void
  end(): void
} {
  const call = { admission, isOpen: true }
  return {
    run: (work) => calls.run(call, work),
    end: () => {
      call.isOpen = false
    },
  }
}

/** What the transaction that begins now must pass first. */
export function currentAdmission(): Admission | undefined {
  const call = calls.getStore()
  return call?.isOpen === true ? call.admission : undefined
}

/** For work on behalf of all, which a call merely sets off. */
export function withoutAdmission<T>(work: () => T): T {
  return calls.exit(work)
}
