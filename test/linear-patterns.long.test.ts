// The patterns whose proof takes seconds are proved, as linear-patterns.test.ts proves all others.
import { expect, it } from 'vitest'
import { proved } from './proved-patterns.ts'
import { loadChecker, readPatterns } from './server-patterns.ts'

it('what is listed as proved takes linear time', async () => {
  const { literals } = readPatterns()
  const check = await loadChecker()
  const statuses = [...proved].map((shown) => {
    const { source, flags } = literals.get(shown) ?? { source: '', flags: '' }
    return [shown, source === '' ? 'not in the source' : check(source, flags)]
  })
  expect(statuses.filter(([, status]) => status !== 'safe')).toEqual([])
})
