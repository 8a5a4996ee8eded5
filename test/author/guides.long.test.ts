// Each page of docs/guides is followed from its first line to its last, outside the repository.
import { it } from 'vitest'
import { GuideRun } from './guide.ts'
import { guides } from './guides.ts'

it.each(guides)('the guide $name can be followed', { timeout: 300_000 }, async ({ snippets }) => {
  const run = new GuideRun()
  try {
    for (const snippet of snippets) await run.run(snippet)
  } finally {
    run.close()
  }
})
