// The contract suite of all adapters under vitest: a valid manifest, and cases that are exchange fixtures
// (test/fixtures/README.md).
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Adapter } from '#core'
import { checkManifest } from '../../../core/kernel/manifest/manifest.ts'
import { caseChecks } from './adapter-checks.ts'

/** Registers the tests of one adapter; `cases` is its folder of exchange fixtures. */
export function testAdapter(adapter: Adapter, cases: URL): void {
  describe(`adapter ${adapter.id}`, () => {
    it('has a sound manifest', () =>
      expect(checkManifest(adapter, adapter.id)).toMatchObject({ kind: 'adapter', id: adapter.id }))

    // Side by side, because some wait: for a task of the provider, or between the pieces of a stream.
    for (const { name, run } of caseChecks(adapter, fileURLToPath(cases))) it.concurrent(name, run)
  })
}
