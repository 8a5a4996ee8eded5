import { defineOptions, definePlugin } from '#core'
import { createRequestLimiter } from './request-limiter.ts'
import { rateLimitFields } from './schema.ts'

export default definePlugin({
  id: 'rate-limit',
  summary: { en: 'Limits of model requests per user and group', zh: '按用户和分组限制模型请求' },
  options: defineOptions(rateLimitFields),
  server({ rateLimiters, options, rateLimits }) {
    rateLimiters.add(createRequestLimiter({ options, rateLimits }))
  },
})
