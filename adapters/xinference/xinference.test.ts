import { testAdapter } from '#test'
import xinference from './index.ts'

testAdapter(xinference, new URL('./cases/', import.meta.url))
