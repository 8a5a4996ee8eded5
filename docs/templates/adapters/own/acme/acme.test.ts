import { test } from 'node:test'
import { conformance } from 'tollgate/test'

// The manifest, and each exchange in cases/ through the relay: whole, cut at every byte, and with a second channel after a failure.
test('keeps the contract', () => conformance(import.meta.dirname))
