import { testAdapter } from '#test'
import replicate from './index.ts'

testAdapter(replicate, new URL('./cases/', import.meta.url))
