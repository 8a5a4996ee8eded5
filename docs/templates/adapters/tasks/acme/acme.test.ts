import { test } from 'node:test'
import { conformance } from 'tollgate/test'

// The manifest, and each case through real routes, rows and polls.
test('keeps the contract', () => conformance(import.meta.dirname))
