import { testAdapter } from '#test'
import together from './index.ts'

testAdapter(together, new URL('./cases/', import.meta.url))
