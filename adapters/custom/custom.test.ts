import { testAdapter } from '#test'
import custom from './index.ts'

testAdapter(custom, new URL('./cases/', import.meta.url))
