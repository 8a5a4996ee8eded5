import { testAdapter } from '#test'
import nvidia from './index.ts'

testAdapter(nvidia, new URL('./cases/', import.meta.url))
