import { testAdapter } from '#test'
import baseten from './index.ts'

testAdapter(baseten, new URL('./cases/', import.meta.url))
