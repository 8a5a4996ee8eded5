import { expect, it } from 'vitest'
import { noteRejection, runAs, watchRejections } from './plugin-context.ts'

const error = new Error('left behind')

it('tells each of two builds that run at once what a plugin left behind', async () => {
  const builds = [watchRejections(), watchRejections()]
  expect(runAs('acme', () => noteRejection(error))).toBe('acme')
  for (const build of builds) expect(await build.found()).toEqual(new Map([['acme', error]]))
  for (const build of builds) expect(await build.found()).toEqual(new Map())
  for (const build of builds) build.end()
})
