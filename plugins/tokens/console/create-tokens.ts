import { api, messageOf } from '#console'
import type { Token } from '../schema.ts'
import { batchNames, bodyOf, type TokenForm } from './token-form.ts'

export interface Batch {
  made: Token[]
  /** Why the remaining tokens were not created. */
  failure?: string
}

/** Creates tokens one after another and stops at the first failure. Throws it if no token was created. */
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
