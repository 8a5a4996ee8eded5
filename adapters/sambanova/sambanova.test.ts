import { testAdapter } from '#test'
import sambanova from './index.ts'

testAdapter(sambanova, new URL('./cases/', import.meta.url))
