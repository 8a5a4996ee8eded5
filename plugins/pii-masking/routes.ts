import { envelope, type RouteApp } from '#core'
import type { MaskingCounts } from './counts.ts'
import { Marks } from './marks.ts'
import type { Rules } from './rules.ts'
import { type Trial, trialBody } from './schema.ts'

export function maskingRoutes(app: RouteApp, rules: () => Rules, counts: MaskingCounts): void {
  const figures = { summary: 'Count what was masked by day and kind, and the calls it was in' }
  app.get('/api/pii-masking/', { config: { access: 'admin' }, schema: figures }, async () =>
    envelope(await counts.figures()),
  )
  // Applies the rules to a text that an admin types in. The text is neither stored nor counted.
  app.post(
    '/api/pii-masking/try',
    {
      config: { access: 'admin', demo: 'open' },
      schema: {
        summary: 'Mask a text by the rules as a trial; it is neither stored nor counted',
        body: trialBody,
      },
    },
    ({ body }) => {
      const marks = new Marks(rules().searches)
      marks.reserve(body.text)
      const text = marks.hide(body.text)
      return envelope<Trial>({ text, kinds: Object.fromEntries(marks.counts) })
    },
  )
}
