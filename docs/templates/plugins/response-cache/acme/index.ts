import { definePlugin } from 'tollgate/contract'

/** The oldest go first. */
const MAX_ANSWERS = 1_000

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Answers equal questions from memory', zh: '对相同问题直接返回缓存结果' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['responseCaches'] },
  server({ responseCaches }) {
    const answers = new Map<string, string>()
    responseCaches.add({
      id: 'acme',
      // Whose answers a call may get: its token's, its user's, or everybody's where the operator allows that.
      scope: 'user',
      // An answer from here costs a tenth.
      priceShare: 0.1,
      // What is to be different each time is asked anew.
      applies: ({ body }) => body?.['temperature'] === 0,
      lookup: (key) => answers.get(key),
      store(key, answer) {
        answers.set(key, answer)
        const [oldest] = answers.keys()
        if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest)
      },
    })
  },
})
