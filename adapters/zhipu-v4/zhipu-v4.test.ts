import { expect, it } from 'vitest'
import { testAdapter } from '#test'
import zhipuV4 from './index.ts'

testAdapter(zhipuV4, new URL('./cases/', import.meta.url))

// Source: docs.bigmodel.cn/cn/guide/models/free/glm-4.5-flash. Calls are answered by GLM-4.7-Flash since, so its price stays.
it('does not offer GLM-4.5-Flash, which ended in January 2026', () => {
  expect(zhipuV4.models).not.toContain('glm-4.5-flash')
  expect(zhipuV4.prices?.models).toHaveProperty(['glm-4.5-flash'])
})
