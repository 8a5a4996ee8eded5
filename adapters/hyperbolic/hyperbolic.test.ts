import { testAdapter } from '#test'
import hyperbolic from './index.ts'

testAdapter(hyperbolic, new URL('./cases/', import.meta.url))
