import { AppError, defineOptions, definePlugin, Type } from 'tollgate/contract'

const tooMany = (limit: number) =>
  new AppError({
    code: 'acme.too_many',
    status: 429,
    relayCode: 'rate_limit_exceeded',
    text: {
      en: 'You have {limit} calls open at a time. Wait for one to end.',
      zh: '同时进行的请求最多 {limit} 个，请等待其中一个结束。',
    },
    values: { limit },
    headers: { 'retry-after': '1' },
  })

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Bounds the open calls of a user', zh: '限制用户同时进行的请求数' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['rateLimiters', 'options'] },
  consoleModule: './console/index.js',
  options: defineOptions({
    AcmeOpenCalls: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 10_000,
      'x-ui': { tab: 'ratelimit', section: 'acme', presets: [5, 10, 50] },
    }),
  }),
  server({ rateLimiters, options }) {
    const open = new Map<number, number>()
    rateLimiters.add({
      id: 'acme',
      // After the key check and before the body is read: a refusal costs next to nothing.
      admit({ userId }) {
        const limit = options.get<number>('AcmeOpenCalls')
        const count = open.get(userId) ?? 0
        if (count >= limit) return Promise.reject(tooMany(limit))
        open.set(userId, count + 1)
        return Promise.resolve({
          // The answer has ended, well or not.
          done() {
            const rest = (open.get(userId) ?? 1) - 1
            if (rest === 0) open.delete(userId)
            else open.set(userId, rest)
          },
        })
      },
    })
  },
})
