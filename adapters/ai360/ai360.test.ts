import { testAdapter } from '#test'
import ai360 from './index.ts'

testAdapter(ai360, new URL('./cases/', import.meta.url))
