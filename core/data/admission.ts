// A caller's access may end between the check at the start of a call and its writes, so each transaction of the call
// repeats the check inside.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from 'sequelize'

/** Refuses by throwing. It locks what it reads, so that whatever ends the access either waits for the transaction or is seen by it. */
export type Admission = (transaction: Transaction) => Promise<void>

interface AdmittedCall {
  /** Cleared with the answer: work that a call leaves running is the gateway's own, and its timers must not keep the
   *  call's generation alive. */
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

/** The check that a transaction which begins now must pass first. */
export function currentAdmission(): Admission | undefined {
  return calls.getStore()?.admission
}

/** Runs work that a call starts but that is not done on the caller's behalf. */
export function withoutAdmission<T>(work: () => T): T {
  return calls.exit(work)
}
