// Who is let in at the door of a call may be let in no more when the call writes: each transaction that it begins asks again, inside.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from 'sequelize'

/** Refuses by throwing; what it reads it locks, so that whatever ends the admission waits for the transaction, or is seen by it. */
export type Admission = (transaction: Transaction) => Promise<void>

interface AdmittedCall {
  /** Gone with the answer: what a call leaves running is the gateway's own work, and a timer of it keeps nothing of the call's generation. */
  admission: Admission | undefined
}

const calls = new AsyncLocalStorage<AdmittedCall>()

export function admittedCall(admission: Admission): {
  run(work: () => void): void
  end(): void
} {
  const call: AdmittedCall = { admission }
  return {
    run: (work) => calls.run(call, work),
    end: () => {
      call.admission = undefined
    },
  }
}

/** What the transaction that begins now must pass first. */
export function currentAdmission(): Admission | undefined {
  return calls.getStore()?.admission
}

/** For work on behalf of all, which a call merely sets off. */
export function withoutAdmission<T>(work: () => T): T {
  return calls.exit(work)
}
