import { testAdapter } from '#test'
import nebius from './index.ts'

testAdapter(nebius, new URL('./cases/', import.meta.url))
