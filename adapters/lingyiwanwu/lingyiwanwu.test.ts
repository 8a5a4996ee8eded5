import { testAdapter } from '#test'
import lingyiwanwu from './index.ts'

testAdapter(lingyiwanwu, new URL('./cases/', import.meta.url))
