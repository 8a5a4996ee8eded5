import { api, messageOf } from '#console'
import type { Token } from './token.ts'
import { batchNames, bodyOf, type TokenForm } from './token-form.ts'

export interface Batch {
  made: Token[]
  /** Why the rest was not made. */
  failure?: string
}

/** One call a token, in order; stops at the first that fails. When not even one was made, throws what happened. */
export async function createTokens(form: TokenForm): Promise<Batch> {
  const body = bodyOf(form)
  const made: Token[] = []
  for (const name of batchNames(body.name, form.count || 1)) {
    try {
      made.push(
        await api.post<Token>('/api/token/', { ...body, name }, { isQuiet: made.length > 0 }),
      )
    } catch (error) {
      if (made.length === 0) throw error
      return { made, failure: messageOf(error) }
    }
  }
  return { made }
}
