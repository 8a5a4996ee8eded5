import { AppError } from '../../contract/errors.ts'

/** Repeats the access checks of a session, one at a time, and has it withdrawn when they fail. */
export class AccessWatch {
  readonly #check: () => Promise<void>
  readonly #withdraw: (error: AppError) => void
  #isChecking = false

  constructor(check: () => Promise<void>, withdraw: (error: AppError) => void) {
    this.#check = check
    this.#withdraw = withdraw
  }

  async recheck(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      await this.#check()
    } catch (error) {
      // An unreachable database is no reason to end a session.
      if (error instanceof AppError && error.code.startsWith('relay.')) this.#withdraw(error)
    } finally {
      this.#isChecking = false
    }
  }
}
